"""Files of tools around search: `engines` (Elasticsearch, OpenSearch, RRE, LTR), `quepid`, and `samples` of ragas.

`texts` turns the texts by which some of them name topics and documents into ids.
"""
