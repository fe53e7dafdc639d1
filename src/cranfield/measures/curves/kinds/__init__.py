"""The kinds of curves: hits -> the columns of a curve by name, for all rankings at once, `[ranking, point]`.

`gain` collects gain down the list, `precision` sets it against recall, `user_model` draws what users do.
"""
