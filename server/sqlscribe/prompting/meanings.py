"""Names of what a template may read. Light to import, for whoever only checks names."""

from __future__ import annotations

OF_THE_WORKSPACE = frozenset(
    "dialect reply_form tables whole_schema rules instructions timezone fence insufficient"
    " choice".split()
)
"""Variables that stay the same from question to question."""
OF_THE_QUESTION = frozenset(
    "question examples notes values matches today weekday turns sql error findings"
    " tables_involved".split()
)
"""Variables that change, and so spoil a provider's prefix cache for all that comes behind."""
ONLY_FOR_FINDINGS = frozenset({"findings", "tables_involved"})
"""Variables of ``repair/findings.j2`` alone."""

FUNCTIONS = frozenset({"ddl()", "table_list()", "joins()", "few_shot()", "known_values()"})
"""Texts that are made of the variables; see ``aliases``."""
MEANINGS = OF_THE_WORKSPACE | OF_THE_QUESTION | FUNCTIONS
"""All that a further name may stand for."""
CHANGING = OF_THE_QUESTION | {"few_shot()", "known_values()"}
"""Those that change from question to question."""
