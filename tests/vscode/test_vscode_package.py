"""What the VS Code extension says about the server's settings is what the server says."""

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest

from sqlscribe import __version__, settings

CLIENT = Path(__file__).parents[2] / "clients" / "vscode"


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", CLIENT / "scripts" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def package() -> dict[str, object]:
    return json.loads((CLIENT / "package.json").read_text("utf-8"))


def test_everything_generated_is_up_to_date() -> None:
    """Run clients/vscode/scripts/generate.py where this fails."""
    assert [path.name for path in generator().stale()] == []


def test_the_schema_of_the_configuration_knows_every_key() -> None:
    schema = json.loads((CLIENT / "schemas" / "sqlscribe.schema.json").read_text("utf-8"))
    for row in settings.describe():
        inner = schema
        for name in row.key.split("."):
            inner = inner.get("anyOf", [{}, inner])[1]["properties"][name]
        assert inner["description"], row.key


def test_the_extension_has_the_server_s_version(package: dict[str, object]) -> None:
    assert package["version"] == __version__
    assert f"## {__version__} " in (CLIENT / "CHANGELOG.md").read_text("utf-8")


def test_every_command_has_its_code_and_none_is_the_server_s(package: dict[str, object]) -> None:
    contributes = package["contributes"]
    assert isinstance(contributes, dict)
    declared = {each["command"].rpartition(".")[2] for each in contributes["commands"]}
    code = (CLIENT / "src" / "extension.ts").read_text("utf-8")
    bound = re.search(r"const bound: .*?= \{(.*?)\n  \};", code, re.DOTALL)
    assert bound is not None
    assert declared == set(re.findall(r"^    (\w+)[:,]", bound[1], re.MULTILINE))
    assert all(each["command"].startswith("sqlscribe.editor.") for each in contributes["commands"])
