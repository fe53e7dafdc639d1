"""Standard errors of estimates from sampled judgments, and estimates from a few human and many model labels.

`errors` answers the first question: `linearised` computes the variance of statAP and statNDCG, `resampling` draws the
sample again for infAP, xinfAP and infNDCG. `prediction` answers the second: `by_topics` uses `powered`, `by_documents`
uses `difference`, and `terms`, the weights of documents in a sum. `sheet` prints.
"""
