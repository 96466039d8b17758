"""Against values that were published, or that can be worked out by hand."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.evaluation.statistics import Paired, mcnemar, newcombe, quantile, wilson


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # Newcombe (1998), two-sided intervals for the single proportion, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (0, 0, 0.0, 1.0),
        (20, 20, 0.8389, 1.0),
    ],
)
def test_the_interval_of_a_share(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("table", "low", "high"),
    [
        # Newcombe (1998), improved intervals for differences of paired proportions, method 10.
        (Paired(36, 12, 2, 0), 0.0569, 0.3404),
        (Paired(20, 12, 2, 16), 0.0562, 0.3292),
        (Paired(0, 0, 0, 0), -1.0, 1.0),
        # Both always the same: each bound is the reach of two shares that vary together.
        (Paired(54, 0, 0, 0), -0.0664, 0.0664),
    ],
)
def test_the_interval_of_a_difference(table: Paired, low: float, high: float) -> None:
    assert newcombe(table) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (5, 0, 2 / 32),
        (0, 6, 2 / 64),
        # (C(10,0) + C(10,1) + C(10,2)) / 2^10, twice: 2 · 56 / 1024.
        (8, 2, 112 / 1024),
        (1000, 1000, 1.0),
    ],
)
def test_the_exact_test_of_an_uneven_split(better: int, worse: int, p: float) -> None:
    assert mcnemar(Paired(7, better, worse, 9)) == pytest.approx(p)


def test_pairs_are_counted() -> None:
    table = Paired.of([True, True, False, False, True], [True, False, True, False, False])
    assert table == Paired(1, 2, 1, 1)
    assert table.difference == pytest.approx(0.2)


_COUNTS = st.integers(0, 60)


@given(_COUNTS, _COUNTS, _COUNTS, _COUNTS)
@settings(max_examples=100, deadline=None)
def test_an_interval_holds_the_difference_and_mirrors(a: int, b: int, c: int, d: int) -> None:
    table, swapped = Paired(a, b, c, d), Paired(a, c, b, d)
    low, high = newcombe(table)
    assert -1 <= low <= table.difference + 1e-12
    assert table.difference - 1e-12 <= high <= 1
    assert newcombe(swapped) == pytest.approx((-high, -low), abs=1e-9)
    assert mcnemar(swapped) == mcnemar(table)


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([], 0.5, None), ([3.0], 0.9, 3.0), ([4.0, 1.0, 2.0], 0.5, 2.0), ([1.0, 2.0], 0.5, 1.5),
     ([float(n) for n in range(11)], 0.9, 9.0)],
)  # fmt: skip
def test_quantiles(values: list[float], share: float, expected: float | None) -> None:
    assert quantile(values, share) == expected
