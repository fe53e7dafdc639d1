"""Measures that trec_eval alone has: of gains (`trec_gain`), and the rest."""
