"""What a prompt costs, by the list of prices that comes with the library."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sqlscribe.models.litellm_library import prompt_price


@pytest.mark.parametrize(
    ("name", "api_base", "is_known"),
    [
        ("gpt-4o", None, True),
        ("openai/gpt-4o", None, True),
        ("openai/gpt-4o", "https://gateway.example/v1", True),
        ("anthropic/gpt-4o", None, False),
        ("openai/gpt-4o", "http://127.0.0.1:8000/v1", False),
        ("ollama/llama3", None, False),
        ("openai/nobody-knows-this", None, False),
        ("verified", None, False),
        ("editor:copilot/gpt-5-mini", None, False),
        ("", None, False),
    ],
)
def test_a_price_is_that_of_the_model_where_it_is_known(
    name: str, api_base: str | None, is_known: bool
) -> None:
    price = prompt_price(name, api_base)
    assert (price is not None) == is_known
    assert price is None or 1e-8 < price < 1e-3


def test_the_library_is_not_imported_for_it() -> None:
    program = (
        "import json, sys; from sqlscribe.models.litellm_library import prompt_price;"
        "price = prompt_price('openai/gpt-4o', None);"
        "print(json.dumps([price is not None, 'litellm' in sys.modules]))"
    )
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert json.loads(said.stdout) == [True, False]
