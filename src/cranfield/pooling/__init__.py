"""Which documents to judge: pools by depth, by fused rank, by sampling, or by what earlier judgments said.

`pool` is the public function. `candidates` lists the documents that runs retrieve, `strategies` and `adaptive` order
them, `sampling` draws some of them, `result` is what the caller gets. `pseudo` and `recall` do without judgments, or
ask how many relevant documents are missing.
"""
