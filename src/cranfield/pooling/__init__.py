"""Choose the documents to judge: pools by depth, by fused rank, by sampling, or by earlier judgments.

`pool` is the public function. `candidates` lists the documents that runs retrieve, `strategies` and `adaptive` order
them, `sampling` draws some of them, `result` is what the caller gets. `pseudo` ranks systems without judgments, and
`recall` estimates how many relevant documents are missing.

Read `pool` first.
"""
