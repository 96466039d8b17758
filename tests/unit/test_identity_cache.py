"""What is remembered by which things they are."""

import gc
import weakref

from sqlscribe.identity_cache import identity_cache


class Thing:
    """All of them are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Thing)

    def __hash__(self) -> int:
        return 1


def test_only_the_very_same_things_are_remembered() -> None:
    calls: list[tuple[Thing, ...]] = []

    @identity_cache(maxsize=2)
    def count(*things: Thing) -> int:
        calls.append(things)
        return len(calls)

    one, other = Thing(), Thing()
    assert [count(one), count(other), count(one), count(other)] == [1, 2, 1, 2]
    assert [count(one, other), count(other, one), count(one, other)] == [3, 4, 3]
    assert count(one) == 5, "two are kept"


def test_what_is_no_longer_remembered_is_let_go() -> None:
    @identity_cache(maxsize=1)
    def nothing(thing: Thing) -> None:
        return None

    first = Thing()
    gone = weakref.ref(first)
    nothing(first)
    del first
    gc.collect()
    assert gone() is not None
    nothing(Thing())
    gc.collect()
    assert gone() is None
