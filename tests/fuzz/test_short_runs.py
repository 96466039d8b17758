"""A short run of every fuzzing target: its corpus, and some hundreds of inputs near that."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fuzz.mutating import mutations
from fuzz.targets import TARGETS

CORPUS = Path(__file__).with_name("corpus")
EXAMPLES = int(os.environ.get("EXAMPLES", 200))
SEED = int(os.environ.get("SEED", 0))


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_near_the_corpus_breaks_it(name: str) -> None:
    for data in mutations(CORPUS / name, EXAMPLES, SEED):
        try:
            TARGETS[name](data)
        except Exception as error:
            error.add_note(f"the input was {data!r}")
            raise


def test_every_target_has_a_corpus_and_every_corpus_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} == set(TARGETS)
