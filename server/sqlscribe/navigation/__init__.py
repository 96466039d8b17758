"""What names in SQL mean to a person who looks around: hover, definitions, uses, renames.

A statement is read by its words and brackets, so that it can be half typed:

    text ─ around ─► statement ─ walk ─► Reading (blocks, sources, CTEs)
                                    │ scopes: which columns each source has
                                    ▼
                                  things: what stands at an offset

Where the statement parses, :mod:`sqlscribe.checking.names.places` has the last word on columns.
Nothing here reads files or knows the editor's protocol.
"""
