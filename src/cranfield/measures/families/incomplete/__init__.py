"""Measures for incomplete judgments: how much was judged (`coverage`), `preference` measures, `sampled` judgments."""
