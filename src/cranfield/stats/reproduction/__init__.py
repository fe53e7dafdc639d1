"""Reproducing a result: how close a reproduced run comes to the original.

`order` compares the lists of documents, `scores` the scores of the topics; `reproduce` is the public function.
"""
