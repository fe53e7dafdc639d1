"""Standard errors of estimates from sampled judgments, and estimates from a few human and many model labels.

`errors` is what a caller asks; `linearised` computes the variance of statAP and statNDCG, `resampling` draws the sample
again for infAP, xinfAP and infNDCG, and `sheet` prints.
"""
