"""Names of what a template may read. Light to import, for whoever only checks names."""

from __future__ import annotations

OF_THE_WORKSPACE = frozenset(
    "dialect reply_form tables whole_schema rules instructions timezone fence insufficient"
    " choice lookup from_person from_model".split()
)
"""Variables that stay the same from question to question."""
OF_THE_QUESTION = frozenset(
    "question examples notes values matches today weekday counts_from_today turns sql error"
    " findings tables_involved more_values".split()
)
"""Variables that change, and so spoil a provider's prefix cache for all that comes behind."""
ONLY_FOR_FINDINGS = frozenset({"findings", "tables_involved", "more_values"})
"""Variables of what goes back to the model alone, see ``TURNS_BACK``."""
TURNS_BACK = frozenset(
    {"repair/findings.j2", "repair/engine.j2", "repair/shape.j2", "repair/empty.j2",
     "repair/columns.j2", "repair/again.j2", "lookup/user.j2"}
)  # fmt: skip
"""Templates of what is said to the model after its reply."""

FUNCTIONS = frozenset({"ddl()", "table_list()", "joins()", "few_shot()", "known_values()"})
"""Texts that are made of the variables; see ``aliases``."""
MEANINGS = OF_THE_WORKSPACE | OF_THE_QUESTION | FUNCTIONS
"""All that a further name may stand for."""
CHANGING = OF_THE_QUESTION | {"few_shot()", "known_values()"}
"""Those that change from question to question."""
