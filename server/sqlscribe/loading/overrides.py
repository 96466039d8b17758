"""The workspace's own templates, over those that come with the program."""

from __future__ import annotations

from sqlscribe.loading.bundles import shipped_templates
from sqlscribe.loading.fences import Fences
from sqlscribe.loading.parse_cache import Read
from sqlscribe.loading.patterns import templates_prefix
from sqlscribe.notation.findings import FileFindings
from sqlscribe.prompting.template_check import check_template
from sqlscribe.prompting.templates import Templates
from sqlscribe.settings import Settings

_FOR_DIALECTS = "dialects/"


def overridden(
    read: list[Read],
    in_force: Settings,
    problems: list[FileFindings],
    fences: Fences,
    dialect: str,
) -> Templates:
    """The shipped templates with the workspace's over them. ``dialect`` is the folder's."""
    prefix = templates_prefix(in_force) or ""
    overrides = {
        entry.name.removeprefix(prefix): text.document.text for entry, text in read if text.was_read
    }
    together = Templates(shipped_templates(), overrides, in_force.prompts.variables)
    for entry, text in read:
        findings = text.findings
        if text.was_read:
            name = entry.name.removeprefix(prefix)
            findings += check_template(text.document, together, name)
            # What is said for one dialect is in that one.
            own = name.removeprefix(_FOR_DIALECTS).removesuffix(".j2")
            written_in = own if name.startswith(_FOR_DIALECTS) else dialect
            findings += fences.dialect(entry.path, text, written_in)
        if findings:
            problems.append(FileFindings(text.document, findings))
    return together
