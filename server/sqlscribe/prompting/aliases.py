"""Further names of template variables, so that templates from elsewhere work as they are.

``[prompts.variables]`` says what each stands for: a variable (``query_str = "question"``), or a
function of the variables that makes a text of them (``table_info = "ddl()"``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlscribe.prompting.templates import Plain, Templates, render

Variables = Mapping[str, Any]


def aliased(variables: dict[str, Plain], templates: Templates) -> dict[str, Plain]:
    """The variables together with their further names.

    A name whose meaning is not among these variables is left out: a template that reads it then
    says so.
    """
    together = dict(variables)
    for name, meaning in templates.aliases.items():
        if meaning == "ddl()":
            together[name] = render(templates, "parts/tables.j2", variables).text.strip("\n")
        elif meaning in _MADE:
            together[name] = _MADE[meaning](variables)
        elif meaning in variables:
            together[name] = variables[meaning]
    return together


def _table_list(variables: Variables) -> str:
    return "\n".join(
        f"{table['name']}({', '.join(column['name'] for column in table['columns'])})"
        for table in variables["tables"]
    )


def _joins(variables: Variables) -> str:
    return "\n".join(
        f"{table['name']}({', '.join(key['columns'])}) = "
        f"{key['to_table']}({', '.join(key['to_columns'])})"
        for table in variables["tables"]
        for key in table["foreign_keys"]
    )


def _few_shot(variables: Variables) -> str:
    return "\n\n".join(
        f"Question: {example['question']}\nSQL: {example['sql']}"
        for example in variables["examples"]
    )


def _known_values(variables: Variables) -> str:
    return "\n".join(
        f"{value['column']}: {', '.join(value['known_values'])}" for value in variables["values"]
    )


_MADE: Mapping[str, Callable[[Variables], str]] = {
    "table_list()": _table_list,
    "joins()": _joins,
    "few_shot()": _few_shot,
    "known_values()": _known_values,
}
