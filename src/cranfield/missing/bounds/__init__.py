"""How the lowest and highest possible value of a measure are found; one module for each property of a measure.

`method` names the interface and chooses the method that a measure's declaration allows.

Exact for a property: `additive` (sums), `ideal` (a sum over that of the ideal list), `exchange` and `precision_pairs`
(average precision and its kind), `extremes` (never lowered by a higher grade), `parts`, `interpolated`, `lists`,
`walks` (user models), `by_subtopic` (diversity). For the others: `enumeration` goes through all completions (`grids`),
`outer` gives bounds that are not exact, `separate` bounds each run on its own, within a `budget` of time. Read
`method` first, then `additive`.
"""
