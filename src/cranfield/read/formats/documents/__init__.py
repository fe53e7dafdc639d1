"""The formats of documents: a record on each line, or a file for each (`lines`), and TREC's elements (`trec`)."""
