"""Results for people and for other programs: charts, pages, test reports.

`charts/` draws one kind of result in each module; `figure` is a chart as callers get it; `drawing`, `lines` and `style`
are what all charts share. `page/` is the report; `topic_lists` and `joining` put rankings of a topic side by side.
`gates/` checks conditions; `junit` and `summary` report on them.

Read `figure` first, then `page/report`.
"""
