"""Results for people and for other programs: charts, pages, test reports.

`figure` is a chart as callers get it; `drawing`, `lines` and `style` are what all charts share; `charts`,
`comparisons`, `critical_difference` and `studies` draw one kind of result each. `page` writes HTML, `junit` and
`summary` report gates.
"""
