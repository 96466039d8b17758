"""Settings from a file and from the editor: values, findings at their place, who gets a key."""

from __future__ import annotations

import os
import re
from pathlib import Path

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlscribe.errors import ConfigurationError
from sqlscribe.notation.document import Document
from sqlscribe.notation.findings import Severity
from sqlscribe.settings import (
    ClientSettings,
    DatabaseSettings,
    EmbeddingSettings,
    ModelSettings,
    Origin,
    Settings,
    database_url,
    describe,
    from_client,
    key_for,
    merge,
    parse_toml,
    trusting,
)
from sqlscribe.settings.merging import TRUSTED_FOLDERS
from sqlscribe.settings.places import places

WHOLE = """
dialect = "Postgres"
schema = ["db/**/*.sql"]
training = "training/**"
instructions = "Prefer CTEs."

[model]
name = "openai/gpt-5-mini"
api_base = "http://127.0.0.1:8077/v1"
api_key_env = "OPENAI_API_KEY"
timeout_seconds = 30
reply = "slots"

[models]
small = "ollama/qwen2.5-coder:7b"

[models.fast]
name = "groq/openai/gpt-oss-20b"
max_tokens = 800

[privacy]
values = "profiles"
mask = ["customers.email", "*.ssn"]

[database]
url = "sqlite:///shop.db"
checks = "explain"
run_queries = true

[limits]
prompt_tokens = 6000
"""


def parsed(text: str) -> Settings:
    result = parse_toml(text)
    assert {finding.code for finding in result.findings} <= {"config/no-effect"}
    assert result.settings is not None
    return result.settings


def test_a_whole_file_is_read() -> None:
    found = parsed(WHOLE)
    assert (found.dialect, found.schema, found.training) == (
        "postgres",
        ("db/**/*.sql",),
        ("training/**",),
    )
    assert found.model.name == "openai/gpt-5-mini"
    assert found.model.timeout_seconds == 30.0
    assert found.model.max_repairs == 2
    assert found.models["small"].name == "ollama/qwen2.5-coder:7b"
    assert found.models["fast"].max_tokens == 800
    assert found.privacy.mask == ("customers.email", "*.ssn")
    assert found.database == DatabaseSettings(
        url="sqlite:///shop.db",
        checks="explain",
        run_queries=True,
        origin=Origin.WORKSPACE,
    )
    assert found.limits.prompt_tokens == 6000
    assert found.limits.examples == 5


@pytest.mark.parametrize("text", ["", "\ufeff", "# nothing\n", "\r\n"])
def test_an_empty_file_gives_the_defaults(text: str) -> None:
    assert parsed(text) == Settings()


@pytest.mark.parametrize(
    ("name", "dialect"), [("PostgreSQL", "postgres"), ("SQL Server", "tsql"), ("", "")]
)
def test_a_dialect_may_be_called_by_its_product(name: str, dialect: str) -> None:
    assert parsed(f'dialect = "{name}"').dialect == dialect


def test_a_model_may_be_given_by_its_name_alone() -> None:
    assert parsed('model = "verified"').model.name == "verified"


@pytest.mark.parametrize(
    ("text", "code", "at", "says"),
    [
        ("dialect = ", "config/syntax", "dialect = ", "invalid value"),
        ('x = "open\ny = 1', "config/syntax", None, ""),
        ("[model\nname = 1", "config/syntax", None, ""),
        ("a = 1\r\na = 2", "config/syntax", "a = 2", "overwrite"),
        ("\n\nunknown_key = 1", "config/unknown-key", "unknown_key", "unknown_key"),
        ('[model]\ntimeout = "soon"', "config/unknown-key", "timeout", "timeout_seconds"),
        ("[model]\nname.first = 1", "config/bad-value", "name.first", "string"),
        (
            "[model]\nname = 'huggingface/https://example.com'",
            "config/bad-value",
            "'huggingface/https://example.com'",
            "api_base",
        ),
        ("prompt_tokens = 5", "config/unknown-key", "prompt_tokens", "[limits]"),
        ('[limits]\ndialect = ""', "config/unknown-key", "dialect", "at the top"),
        ("[modle]\nname = 'x'", "config/unknown-key", "modle", "did you mean model?"),
        ("[foo.bar]\nx = 1", "config/unknown-key", "foo.bar", "'foo'"),
        ("models.fast = {nam = 'x'}", "config/unknown-key", "nam", "name"),
        ("model = {name = 'a/b', max_tokens = 'x'}", "config/bad-value", "'x'", "whole"),
        ('dialect = "postgress"', "config/bad-value", '"postgress"', "did you mean postgres?"),
        ('dialect = "snowflak"', "config/bad-value", '"snowflak"', "did you mean snowflake?"),
        ("dialect = 5", "config/bad-value", "5", "string"),
        ('[model]\nreply = "json"', "config/bad-value", '"json"', "auto, slots, sql"),
        ('[model]\ntimeout_seconds = "soon"', "config/bad-value", '"soon"', "a number"),
        ("[model]\ntimeout_seconds = nan", "config/bad-value", "nan", "at least 1"),
        ("[model]\nmax_repairs = 99", "config/bad-value", "99", "at most 10"),
        ("[model]\nmax_repairs = true", "config/bad-value", "true", "whole number"),
        ("[model]\nname = ''", "config/bad-value", "''", "name of a model"),
        ("[model]\napi_base = 'ftp://x'", "config/bad-value", "'ftp://x'", "address"),
        (
            "[model]\napi_base = 'http://x:y@z'",
            "config/bad-value",
            "'http://x:y@z'",
            "password",
        ),
        ("[model]\napi_base = 'http://x:99999'", "config/bad-value", None, "address"),
        ("[database]\nrun_queries = 'yes'", "config/bad-value", "'yes'", "true or false"),
        ("schema = [1, 2]", "config/bad-value", "[1, 2]", "list of strings"),
        ("privacy = 5", "config/bad-value", "5", "table"),
        ("[[model]]\nname = 'x'", "config/bad-value", "model", "table"),
        ("models = 5", "config/bad-value", "5", "[models.fast]"),
        ("encoding = 'hex'", "config/bad-value", "'hex'", "encoding"),
        ("encoding = 'idna'", "config/bad-value", "'idna'", "encoding"),
        ("encoding = 'punycode'", "config/bad-value", "'punycode'", "encoding"),
        ("encoding = 1979-05-27 07:32:00", "config/bad-value", "1979-05-27 07:32:00", "string"),
    ],
)
def test_a_mistake_is_found_at_its_place(text: str, code: str, at: str | None, says: str) -> None:
    result = parse_toml(text)
    assert result.settings is None
    [finding] = result.findings
    assert finding.code == code
    assert says in finding.message
    if at is not None:
        assert finding.span.of(text) == at


def test_each_mistake_is_found_and_none_hides_another() -> None:
    text = "dialect = 'x'\n[model]\nnmae = 'a/b'\n[limits]\nexamples = -1\nprompt_tokens = 'y'\n"
    document = Document("", text)
    lines = [document.line_of(finding.span.start) for finding in parse_toml(text).findings]
    assert lines == [0, 2, 4, 5]


def test_a_wrong_dialect_lists_the_allowed_ones() -> None:
    [finding] = parse_toml('dialect = "x"').findings
    for dialect in ("bigquery", "duckdb", "postgres", "snowflake", "tsql"):
        assert dialect in finding.message


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("[model]\nmax_token = 20", "[model]\nmax_tokens = 20"),
        ("model.max_token = 20", "model.max_tokens = 20"),
        ("dialect = 'mysq'", 'dialect = "mysql"'),
    ],
)
def test_a_quick_fix_cures_a_slip_of_the_pen(text: str, fixed: str) -> None:
    [finding] = parse_toml(text).findings
    [fix] = finding.fixes
    assert Document("", text).changed(fix.edits).text == fixed
    assert parse_toml(fixed).settings is not None


@pytest.mark.parametrize(
    "text",
    [
        "[model]\napi_key = 'FAKE0123456789'",
        "apikey = 'FAKE0123456789'",
        "[models.fast]\ntoken = 'FAKE0123456789'",
        "[model]\napi_key_env = 'sk-FAKE0123456789'",
        "[model]\nsecret_thing = 'sk-FAKE0123456789'",
        "[embedding]\nname = 'sk-FAKE0123456789'",
        "rules = ['sk-FAKE0123456789']",
    ],
)
def test_a_key_in_the_file_is_an_error_that_does_not_repeat_it(text: str) -> None:
    [finding] = parse_toml(text).findings
    assert finding.code == "config/key-in-file"
    assert "api_key_env" in finding.message
    assert "FAKE" not in finding.message


@pytest.mark.parametrize(
    ("url", "is_told"),
    [
        ("postgresql://app:hunter2@db.example.com/shop", True),
        ("postgresql://app:p@ss/w0rd@db.example.com/shop", True),
        ("snowflake://app@acme/shop?password=hunter2", True),
        ("mssql+pyodbc://app@db/shop?PWD=hunter2", True),
        ("snowflake://app@acme/shop?private_key_passphrase=hunter2", True),
        ("snowflake://app@acme/shop?private_key_path=/keys/app.p8", False),
        ("snowflake://app@acme/shop?password=${SHOP_PASSWORD}", False),
        ("postgresql://app:${PASSWORD}@db.example.com/shop", False),
        ("postgresql://app:${ONE}${TWO}@db.example.com/shop", False),
        ("postgresql://app:postgres@localhost:5432/shop", False),
        ("postgresql://app@db.example.com/shop", False),
        ("${DATABASE_URL}", False),
        ("sqlite:///shop.db", False),
    ],
)
def test_a_password_in_the_address_of_a_database_is_told_and_not_repeated(
    url: str, is_told: bool
) -> None:
    parsed = parse_toml(f'[database]\nurl = "{url}"\n')
    assert parsed.settings is not None
    assert parsed.settings.database.url == url
    assert [finding.code for finding in parsed.findings] == ["config/key-in-file"] * is_told
    assert "hunter2" not in str(parsed.findings)


def test_a_key_where_a_variable_is_wanted_is_not_repeated() -> None:
    [finding] = parse_toml("[model]\napi_key_env = 'abc-FAKE0123456789'").findings
    assert "FAKE" not in finding.message


@given(st.text(st.sampled_from("ab.=[]{}\"'#, \n\r\t1\\\ud800\0é"), max_size=60))
@settings(max_examples=100, deadline=None)
def test_any_text_is_read_or_has_findings_inside_it(text: str) -> None:
    result = parse_toml(text)
    assert (result.settings is None) == bool(result.findings)
    for finding in result.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)


@pytest.mark.parametrize("text", ["x = " + "[" * 100_000, "x = " + "9" * 10_000, "(" * 1_000_000])
def test_monstrous_texts_are_syntax_errors(text: str) -> None:
    [finding] = parse_toml(text).findings
    assert finding.code == "config/syntax"


def test_keys_and_values_are_found_however_they_are_written() -> None:
    text = (
        '"a b".c = """x\n"y" # no comment\n"""\n[ t . "u" ] # [no.header]\nlist = [ # one\n'
        "  'p', [\n 2 ], {k = 1, m . n = '''\n]'''},\n]\n[[many]]\nz=1979-05-27 07:32:00\n"
    )
    found = places(text)

    def value(*path: str) -> str:
        return found.value(path).of(text)

    assert value("a b", "c") == '"""x\n"y" # no comment\n"""'
    assert found.key(("t", "u")).of(text) == 't . "u"'
    assert value("t", "u", "list", "1", "0") == "2"
    assert value("t", "u", "list", "2", "m", "n") == "'''\n]'''"
    assert value("many", "z") == "1979-05-27 07:32:00"
    assert value("t", "u", "no such key") == 't . "u"'


# The editor


def test_the_editor_sends_the_same_settings_nested_or_dotted() -> None:
    nested, problems = from_client({"model": {"name": "a/b", "max_tokens": 20.0}})
    dotted, _ = from_client({"sqlscribe": {"model.name": "a/b", "model.max_tokens": 20}})
    assert problems == ()
    assert nested == dotted
    merged = merge(Settings(), nested)
    assert (merged.model.name, merged.model.max_tokens) == ("a/b", 20)


@pytest.mark.parametrize("data", [None, {}, [], {"model": None}, {"sqlscribe": {}}, {"docs": None}])
def test_nothing_set_changes_nothing(data: object) -> None:
    client, problems = from_client(data)
    assert problems == ()
    assert merge(parsed(WHOLE), client) == parsed(WHOLE)


def test_what_is_wrong_is_left_out_and_told_by_its_name() -> None:
    data = {
        "dialect": "mysql",
        "model": {"timeout_seconds": "soon", "nmae": 1},
        "trusted": "no",
    }
    client, problems = from_client(data)
    assert merge(Settings(), client).dialect == "mysql"
    assert len(problems) == 3
    assert any(problem.startswith("model.timeout_seconds: ") for problem in problems)
    assert any("did you mean name?" in problem for problem in problems)


@pytest.mark.parametrize("data", ["text", 5, ["x"]])
def test_settings_that_are_no_table_are_told(data: object) -> None:
    client, problems = from_client(data)
    assert client == ClientSettings()
    assert len(problems) == 1


def test_the_editor_wins_where_it_sets_something_and_only_there() -> None:
    client, _ = from_client(
        {
            "dialect": "mysql",
            "limits": {"examples": 2},
            "models": {"fast": {"max_tokens": 9000}},
        }
    )
    merged = merge(parsed(WHOLE), client)
    assert merged.dialect == "mysql"
    assert (merged.limits.examples, merged.limits.prompt_tokens) == (2, 6000)
    assert merged.models["fast"].max_tokens == 9000
    assert merged.models["fast"].name == "groq/openai/gpt-oss-20b"
    assert merged.instructions == "Prefer CTEs."


# Who gets a key

ENVIRONMENT = {"OPENAI_API_KEY": "FAKE-users", "TEAM_KEY": "FAKE-teams", "EMPTY": " "}
OWN = "name = 'openai/x'\napi_base = 'http://127.0.0.1:1/v1'"


@pytest.mark.parametrize(
    ("model", "client", "key"),
    [
        ("name = 'openai/x'", {}, "FAKE-users"),
        ("name = 'gpt-5'", {}, "FAKE-users"),
        ("name = 'ollama/x'", {}, None),
        ("name = 'groq/x'", {}, None),
        ("name = 'openai/x'\napi_key_env = 'TEAM_KEY'", {}, "FAKE-teams"),
        ("name = 'openai/x'\napi_key_env = 'EMPTY'", {}, None),
        # An address of the workspace's own, and the key it names beside it or none.
        (OWN, {}, None),
        (f"{OWN}\napi_key_env = 'TEAM_KEY'", {}, "FAKE-teams"),
        (f"{OWN}\napi_key_env = 'OPENAI_API_KEY'", {}, "FAKE-users"),
        (OWN, {"model": {"name": "openai/y"}}, None),
        (OWN, {"model": {"api_key_env": "OPENAI_API_KEY"}}, None),
        (f"{OWN}\napi_key_env = 'TEAM_KEY'", {"model.api_key_env": "X"}, "FAKE-teams"),
        # An address of the user's.
        (OWN, {"model": {"api_base": "http://127.0.0.1:2"}}, "FAKE-users"),
        ("name = 'openai/x'", {"model": {"api_base": "http://127.0.0.1:2"}}, "FAKE-users"),
        # A workspace that the user trusts.
        (OWN, {"trusted": True}, "FAKE-users"),
        (OWN, {"trusted": True, "model": {"api_key_env": "TEAM_KEY"}}, "FAKE-teams"),
        # One that the user does not trust.
        ("name = 'openai/x'", {"trusted": False}, "FAKE-users"),
        (f"{OWN}\napi_key_env = 'TEAM_KEY'", {"trusted": False}, None),
    ],
)
def test_a_key_goes_only_where_it_may(
    model: str, client: dict[str, object], key: str | None
) -> None:
    choice, problems = from_client(client)
    assert problems == ()
    merged = merge(parsed(f"[model]\n{model}"), choice)
    assert key_for(merged.model, ENVIRONMENT) == key


ELSEWHERE = "name = 'openai/x'\napi_key_env = 'OPENAI_API_KEY'\napi_base = '{}'"


@pytest.mark.parametrize(
    ("address", "variable", "sent"),
    [
        ("https://api.openai.com/v1", "OPENAI_API_KEY", True),
        ("https://api.openai.com:443/v1", "OPENAI_API_KEY", True),
        ("https://API.OpenAI.com", "OPENAI_API_KEY", True),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "DASHSCOPE_API_KEY", True),
        ("http://localhost:1234/v1", "OPENAI_API_KEY", True),
        ("http://[::1]:1234/v1", "OPENAI_API_KEY", True),
        ("http://127.8.9.1/v1", "OPENAI_API_KEY", True),
        # Another provider's, another port's, without TLS, or only of a like name.
        ("https://api.deepseek.com", "OPENAI_API_KEY", False),
        ("https://api.openai.com", "TEAM_KEY", False),
        ("http://api.openai.com/v1", "OPENAI_API_KEY", False),
        ("https://api.openai.com:8443/v1", "OPENAI_API_KEY", False),
        ("https://api.openai.com.evil.example/v1", "OPENAI_API_KEY", False),
        ("https://api-openai.com/v1", "OPENAI_API_KEY", False),
        ("https://evil.example/api.openai.com", "OPENAI_API_KEY", False),
        ("https://xapi.openai.com", "OPENAI_API_KEY", False),
        ("https://evil.example#api.openai.com", "OPENAI_API_KEY", False),
        ("http://localhost.evil.example/v1", "OPENAI_API_KEY", False),
        ("http://127.0.0.1.evil.example/v1", "OPENAI_API_KEY", False),
        ("https://gateway.example/v1", "TEAM_KEY", False),
        ("http://169.254.169.254/latest", "TEAM_KEY", False),
        # This machine in forms that not every program reads alike.
        ("http://2130706433/v1", "OPENAI_API_KEY", False),
        ("http://0x7f.1/v1", "OPENAI_API_KEY", False),
        ("http://127.1/v1", "OPENAI_API_KEY", False),
        ("http://0.0.0.0/v1", "OPENAI_API_KEY", False),
        ("http://[::ffff:8.8.8.8]/v1", "OPENAI_API_KEY", False),
    ],
)
def test_a_key_goes_to_an_address_of_the_workspaces_own_only_where_that_is_safe(
    address: str, variable: str, sent: bool
) -> None:
    environment = dict.fromkeys((variable, "OPENAI_API_KEY"), "FAKE-key")
    text = ELSEWHERE.format(address).replace("OPENAI_API_KEY", variable)
    for table in ("model", "models.fast", "embedding"):
        file = parsed(f"[{table}]\n{text}")

        def served(merged: Settings, table: str = table) -> ModelSettings | EmbeddingSettings:
            return merged.models["fast"] if table == "models.fast" else getattr(merged, table)

        merged = merge(file)
        assert (key_for(served(merged), environment) is not None) is sent
        assert any(variable in said for said in merged.not_used) is not sent
        trusted = merge(file, ClientSettings(trusted=True))
        assert key_for(served(trusted), environment) == "FAKE-key"


@pytest.mark.parametrize(
    "address",
    [
        "https://api.openai.com@evil.example/v1",
        "https://user:pw@evil.example/v1",
        "https://127.0.0.1\\\\@evil.example/",
        "https://evil.example\\\\.openai.com/",
        "https://api.openai.com%2f@evil.example",
        "https://api.openai.com%2eevil.example",
        "https://ａpi.openai.com/v1",
        "https://api.openai.com/v1?to=evil.example",
        "file:///etc/passwd",
        "https:///v1",
        "http://[::1%25eth0]/v1",
    ],
)
def test_an_address_that_two_programs_may_read_differently_is_none(address: str) -> None:
    [finding] = parse_toml(f'[model]\napi_base = "{address}"').findings
    assert finding.code == "config/bad-value"


def test_the_users_environment_can_trust_a_folder(tmp_path: Path) -> None:
    inner = tmp_path / "team" / "shop"
    inner.mkdir(parents=True)
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(inner)

    def trusted(listed: object, root: Path | None, said: bool | None = None) -> bool | None:
        return trusting(ClientSettings(trusted=said), root, {TRUSTED_FOLDERS: str(listed)}).trusted

    assert trusted(inner, inner) is True
    assert trusted(tmp_path / "team", inner) is True
    assert trusted(f"/nowhere{os.pathsep}{tmp_path / 'link'}", inner) is True
    assert trusted(tmp_path / "other", inner) is None
    assert trusted(tmp_path / "tea", inner) is None
    assert trusted("", inner) is None
    assert trusted(tmp_path, None) is None
    # What the editor says comes first.
    assert trusted(inner, inner, said=False) is False


def test_the_same_holds_for_further_models() -> None:
    file = parsed(f"[models.fast]\n{OWN}")
    user, _ = from_client({"models": {"fast": {"api_key_env": "OPENAI_API_KEY"}}})
    assert key_for(merge(file, user).models["fast"], ENVIRONMENT) is None
    trusted = merge(file, ClientSettings(trusted=True))
    assert key_for(trusted.models["fast"], ENVIRONMENT) == "FAKE-users"
    untrusted = merge(file, ClientSettings(trusted=False))
    assert untrusted.models["fast"].api_base is None


def test_the_same_holds_for_embeddings() -> None:
    file = parsed("[embedding]\nname = 'openai/e'\napi_base = 'http://127.0.0.1:1'")
    assert key_for(merge(file).embedding, ENVIRONMENT) is None
    assert key_for(merge(file, ClientSettings(trusted=True)).embedding, ENVIRONMENT) == "FAKE-users"
    assert merge(file, ClientSettings(trusted=False)).embedding == Settings().embedding


def test_an_untrusted_workspace_names_no_place_to_go() -> None:
    file = parsed(WHOLE + "\n[prompts]\nfolder = 'mine'\n")
    merged = merge(file, ClientSettings({"privacy": {"values": "none"}}, trusted=False))
    assert merged.model.api_base is None
    assert merged.model.name == "auto"
    assert merged.models == parsed(WHOLE).models
    assert merged.database.url == ""
    assert not merged.database.run_queries
    assert merged.prompts.folder == ""
    assert merged.dialect == "postgres"
    told = " ".join(merged.not_used)
    for name in ("model.api_base", "database", "prompts.folder"):
        assert name in told


def test_the_users_own_database_is_used_in_an_untrusted_workspace() -> None:
    client, _ = from_client({"trusted": False, "database": {"url": "sqlite:///mine.db"}})
    assert merge(parsed(WHOLE), client).database.url == "sqlite:///mine.db"


@pytest.mark.parametrize("name", ["bedrock/x", "vertex_ai/x", "azure/x", "anthropic/x", "x"])
def test_a_workspace_address_is_refused_where_credentials_would_come_along(name: str) -> None:
    file = parsed(f"[model]\nname = '{name}'\napi_base = 'https://elsewhere.example'")
    merged = merge(file)
    assert merged.model.api_base is None
    assert "model.api_base" in merged.not_used[0]
    assert merge(file, ClientSettings(trusted=True)).model.api_base is not None


@pytest.mark.parametrize(
    ("url", "trusted", "used"),
    [
        ("postgresql://u:${PW}@elsewhere.example/db", None, False),
        ("postgresql://u:${PW}@elsewhere.example/db", False, False),
        ("postgresql://u:${PW}@elsewhere.example/db", True, True),
        ("postgresql://u:${PW}@localhost/db", None, True),
        ("postgresql://u:${PW}@127.0.0.1:5432/db", None, True),
        ("postgresql://u:${PW}@127.0.0.1.example/db", None, False),
        ("mysql://${HOST}/db", None, False),
        ("${SHOP_URL}", None, True),
        ("sqlite:///${DATA}/shop.db", None, True),
        ("postgresql://reader@db/shop", None, True),
    ],
)
def test_a_workspace_does_not_send_a_variable_to_its_own_address(
    url: str, trusted: bool | None, used: bool
) -> None:
    merged = merge(parsed(f'[database]\nurl = "{url}"'), ClientSettings(trusted=trusted))
    assert bool(merged.database.url) is used
    assert bool(merged.not_used) is not used


def test_the_database_url_reads_the_environment() -> None:
    database = DatabaseSettings(url="postgresql://shop:${PW}@db/${NAME}")
    assert database_url(database, {"PW": "a", "NAME": "b"}) == "postgresql://shop:a@db/b"
    with pytest.raises(ConfigurationError, match="NAME is not set"):
        database_url(database, {"PW": "a"})


def test_the_database_url_may_not_carry_a_models_key_away() -> None:
    database = DatabaseSettings(url="postgresql://elsewhere.example/${OPENAI_API_KEY}")
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY") as refused:
        database_url(database, ENVIRONMENT)
    assert "FAKE" not in str(refused.value)


# The description


def test_every_key_is_described_and_its_default_is_valid() -> None:
    rows = describe()
    keys = [row.key for row in rows]
    assert len(set(keys)) == len(keys)
    assert {"dialect", "model.timeout_seconds", "privacy.mask", "limits.examples"} < set(keys)
    assert not any("origin" in key or "not_used" in key for key in keys)
    text = "\n".join(f"{row.key} = {row.default}" for row in rows if row.default)
    assert parsed(text) == Settings()
    assert all(re.search(r"\w", row.meaning) and row.type for row in rows)


@pytest.mark.parametrize("code", ["quality/fan-out", "quality/*", "*"])
def test_findings_may_be_switched_off(code: str) -> None:
    found = parsed(f'[checks]\nignore = ["{code}"]')
    assert found.checks.ignore == (code,)


def test_a_finding_that_there_is_not_cannot_be_switched_off() -> None:
    text = '[checks]\nignore = ["name/unknown-colum"]'
    [finding] = parse_toml(text).findings
    assert finding.code == "config/bad-value"
    assert "did you mean name/unknown-column?" in finding.message


def test_settings_are_frozen() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Settings().dialect = "mysql"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[database]\nrun_queries = true", "database.run_queries"),
        ('[privacy]\nvalues = "samples"', "privacy.values"),
    ],
)
def test_a_setting_without_effect_says_so_and_the_rest_applies(text: str, key: str) -> None:
    parsed = parse_toml(f'dialect = "mysql"\n{text}\n')
    assert parsed.settings is not None
    assert parsed.settings.dialect == "mysql"
    [finding] = parsed.findings
    assert (finding.code, finding.severity) == ("config/no-effect", Severity.INFORMATION)
    assert key in finding.message
