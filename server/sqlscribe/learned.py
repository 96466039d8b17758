"""What is worked out once from all that a folder knows, for every question on it.

Each part is made when it is first wanted: some of it takes a while over thousands of examples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from sqlscribe.checking.check import check
from sqlscribe.checking.names.running import words_of
from sqlscribe.inspection import changed_words
from sqlscribe.knowledge.examples import Example, fitting
from sqlscribe.knowledge.masking import Masked, masker
from sqlscribe.knowledge.profiles import known_values
from sqlscribe.knowledge.synonyms import Synonym, synonyms
from sqlscribe.loading import Loaded
from sqlscribe.notation.findings import FileFindings, Finding


class Learned:
    """What follows from one :class:`Loaded`. May be used from any thread."""

    def __init__(self, loaded: Loaded, before: Learned | None = None) -> None:
        """What was found out ``before`` about SQL whose tables have not changed stays known."""
        self.loaded = loaded
        self._fits: dict[str, tuple[Finding, ...]] = {}
        changed = None
        if before is not None:
            changed = changed_words(before.loaded.schema, loaded.schema)
        if before is not None and changed is not None:
            # While an example is typed, each pause leaves one that nobody asks for again.
            wanted = {self._key(example) for example in loaded.examples}
            self._fits = {
                key: found
                for key, found in list(before._fits.items())
                # What is missing may be there now under any name.
                if key in wanted and not found and words_of(key).isdisjoint(changed)
            }

    @cached_property
    def values(self) -> dict[str, list[str]]:
        """The columns that have each value, as far as profiles and the DDL tell."""
        known: dict[str, list[str]] = {}
        for profile in self.loaded.profiles:
            for value in profile.values:
                known.setdefault(value, []).append(f"{profile.table}.{profile.column}")
        for table in self.loaded.schema.tables:
            for column in table.columns:
                for value in column.values:
                    known.setdefault(value, []).append(f"{table.name}.{column.name}")
        return known

    @cached_property
    def values_of_columns(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The recorded values of each column, as the checker takes them."""
        return known_values(self.loaded.profiles, self.loaded.schema)

    @cached_property
    def mask(self) -> Callable[[str], Masked]:
        """Takes numbers, dates, quoted text and known values out of a question."""
        return masker(self.values)

    @cached_property
    def synonyms(self) -> tuple[Synonym, ...]:
        """What the rules and the notes say that words mean."""
        return synonyms(self._texts(), self.loaded.schema)

    def fits(self, example: Example) -> bool:
        """Whether the schema has all that an example's SQL names."""
        kept, _ = fitting([example], self.findings)
        return bool(kept)

    @cached_property
    def unfit(self) -> tuple[FileFindings, ...]:
        """Findings on the examples that do not fit the schema any more.

        All of them are checked, which takes a second for some hundreds.
        """
        _, gone = fitting(self.loaded.examples, self.findings)
        return tuple(
            FileFindings(document, findings)
            for path, findings in gone.items()
            if (document := self.loaded.example_files.get(path)) is not None
        )

    def findings(self, example: Example) -> tuple[Finding, ...]:
        """What is wrong with an example's SQL, against the schema of today."""
        dialect = example.dialect or self.loaded.dialect
        key = self._key(example)
        found = self._fits.get(key)
        if found is None:
            found = self._fits[key] = check(example.sql, self.loaded.schema, dialect).findings
        return found

    def _key(self, example: Example) -> str:
        return f"{example.dialect or self.loaded.dialect}\n{example.sql}"

    def _texts(self) -> Iterator[str]:
        yield self.loaded.rules
        yield from (note.text for note in self.loaded.notes)
