"""The report: one HTML file on scores, comparison and missing judgments, or a folder with all its tables and charts.

`report` is the public function. A section is a function in `sections/` that makes blocks (`blocks`) of the material
(`material`); `summary` writes the first paragraph. `html` turns blocks into a page, `folder` into files. `pictures`,
`colours` and `scripts` are what the page needs for its charts.
"""
