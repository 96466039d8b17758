"""No secret that is known, or looks like one, survives."""

from __future__ import annotations

import logging
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.redaction import (
    RedactingFilter,
    Redactor,
    looks_like_key,
    redact,
    secrets_in,
)

SECRET = "FAKE-abc123"


@pytest.mark.parametrize(
    "text",
    [
        f"404 for url http://127.0.0.1:9/v1/models/x:generate?key={SECRET}",
        f"Incorrect API key provided: {SECRET}. You can find it on your page.",
        f"GET /v1/models?alt=sse&key={SECRET}&x=1 HTTP/1.1",
        f"https://host/path?api_key={SECRET}",
        f"https://host/path?access_token={SECRET}#top",
        f"Authorization: Bearer {SECRET}",
        f"{{'authorization': 'Bearer {SECRET}', 'accept': '*/*'}}",
        f'{{"x-api-key": "{SECRET}"}}',
        f"[(b'Authorization', b'Bearer {SECRET}')]",
        f"sent bearer {SECRET} to the server",
        f"completion(model='x', api_key='{SECRET}', timeout=1)",
        f"postgresql://shop:{SECRET}@db.example/shop",
        f"mysql://shop:p@ss/{SECRET}@db.example/shop",
        f"https://shop:{SECRET}@gateway.example/v1",
        f"Proxy-Authorization: Basic {SECRET}",
        f"mssql+pyodbc://app@db/shop?driver=x&PWD={SECRET}",
    ],
)
def test_what_looks_like_a_secret_is_masked_without_being_known(text: str) -> None:
    cleaned = redact(text)
    assert SECRET not in cleaned
    assert "***" in cleaned


@pytest.mark.parametrize(
    "key",
    ["sk-proj-abcDEF123456", "sk-ant-api03-xyz_987654", "gsk_" + "a1" * 15, "AIza" + "b2" * 15],
)
def test_tokens_of_the_usual_shapes_are_masked(key: str) -> None:
    assert looks_like_key(key)
    assert redact(f"the key {key} is wrong") == "the key *** is wrong"


@pytest.mark.parametrize(
    "text",
    [
        "no API key: set OPENAI_API_KEY",
        "SELECT key, token FROM risk_adjusted WHERE id = 12",
        "task-abcdefgh is not sk_customer_id",
        "sqlite:///shop.db and http://127.0.0.1:8077/v1 are fine",
        "an API key does not belong into a file; name its variable in api_key_env",
        "the keys of customers: customer_id = 5",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text, [SECRET]) == text
    assert not looks_like_key(text)


@given(
    before=st.text(max_size=30),
    secret=st.text(min_size=6, max_size=30),
    after=st.text(max_size=30),
)
@settings(max_examples=100, deadline=None)
def test_a_known_secret_survives_nowhere(before: str, secret: str, after: str) -> None:
    assert secret not in redact(before + secret + after, [secret])


@given(secrets=st.lists(st.text("ab*/&=é '\"\\", min_size=6, max_size=8), min_size=1, max_size=4))
@settings(max_examples=100, deadline=None)
def test_overlapping_and_escaped_secrets_survive_nowhere(secrets: list[str]) -> None:
    text = "".join(secrets) + " ".join(map(quote, secrets)) + "&".join(map(quote_plus, secrets))
    cleaned = redact(text + repr(secrets), secrets)
    for secret in secrets:
        assert secret not in cleaned
        assert quote(secret, safe="") not in cleaned


def test_only_known_secrets_are_hidden_where_text_must_stay() -> None:
    prompt = f"-- ask: rows where token='abc' and ?key=5 {SECRET}"
    assert Redactor([SECRET]).hide(prompt) == "-- ask: rows where token='abc' and ?key=5 ***"


def test_short_values_are_not_taken_for_secrets() -> None:
    assert redact("an id of 12", ["id", "12"]) == "an id of 12"


def test_secrets_of_the_environment_are_found_by_their_names() -> None:
    environment = {
        "OPENAI_API_KEY": "FAKE-key-1",
        "GITHUB_TOKEN": "FAKE-token",
        "client_secret": "FAKE-secret",
        "PGPASSWORD": "FAKE-password",
        "HOME": "/home/somebody",
        "KEYBOARD": "english",
        "SHORT_KEY": "abc",
        "LOCAL_API_KEY": "ollama",
    }
    assert secrets_in(environment) == {
        "FAKE-key-1",
        "FAKE-token",
        "FAKE-secret",
        "FAKE-password",
    }


def formatted(record: logging.LogRecord) -> str:
    assert RedactingFilter(Redactor([SECRET])).filter(record)
    return logging.Formatter("%(message)s").format(record)


def test_a_log_record_loses_secrets_in_message_arguments_and_traceback() -> None:
    try:
        raise ValueError(f"refused {SECRET}")
    except ValueError as error:
        info = (ValueError, error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "f", 1, "sent %s", (SECRET,), info, "g", SECRET)
    text = formatted(record)
    assert SECRET not in text
    assert "ValueError: refused ***" in text
    assert record.exc_info is None


def test_a_log_record_whose_arguments_do_not_fit_is_still_shown() -> None:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, f"%d {SECRET}", ("word",), None)
    assert formatted(record) == "%d *** ('word',)"


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "://a:" * 200_000, "authorization" * 80_000, "?key=" * 200_000]
)
def test_a_megabyte_is_redacted_at_once(text: str) -> None:
    # The time limit of the test run would end a pattern that backtracks.
    assert len(redact(text, [SECRET])) <= len(text)
