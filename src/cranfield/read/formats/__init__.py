"""The formats that can be read, one module for each family; importing a module registers its readers.

`trec` and `tabular` hold runs and qrels; `topics`, `documents`, `intents`, `model_labels` and `side_files` the rest.

`search_tools` reads what search engines and their tools write. Read `trec` first.
"""
