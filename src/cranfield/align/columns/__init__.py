"""What judgments say beside the grade: `subtopics` that a document covers, and how it was `sampled`.

`Hits` say which documents a list holds; these tables, shared by all lists, say more about the documents.
"""
