import pytest

from sqlscribe.prompting.tokens import estimate


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("abc", 1), ("abcd", 2), ("销售额", 3), ("销售额 of", 4), ("é" * 3, 1)],
)
def test_three_characters_a_token_and_one_for_each_cjk_character(text: str, tokens: int) -> None:
    assert estimate(text) == tokens
