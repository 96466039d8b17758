"""Who may know whom: the rings of ARCHITECTURE.md, kept by walking every import."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "server" / "sqlscribe"

WORDS = {
    "errors",
    "identity_cache",
    "redaction",
    "models.chat",
    "models.providers",
    "notation.document",
    "notation.findings",
    "notation.lexicon",
    "notation.dialect_marks",
    "schema.model",
    "schema.identifiers",
}
EDGES = {
    "knowledge.index",
    "knowledge.index_store",
    "knowledge.embedders",
    "models.bounded_client",
    "models.litellm_client",
    "models.litellm_library",
    "models.litellm_embedding",
    "models.failures",
    "models.discovery",
    "stored_answers",
    "files",
    "generated_files",
    "schema.tabular",
}
EDGE_FOLDERS = ("checking.engine", "schema.database")
STEPS = (
    "notation.", "schema.", "prompting.", "checking.", "knowledge.", "navigation.",
    "models.verified", "models.literals", "models.date_", "models.spoken_numbers",
    "models.streamed", "models.context_window",
)  # fmt: skip
FACES = ("lsp.", "cli", "demo", "__main__")

OWNERS = {
    "pygls": ("lsp.", "demo"),
    "lsprotocol": ("lsp.", "demo"),
    "jinja2": ("prompting.templates",),
    "sqlglot": ("schema.ddl", "checking."),
    "litellm": ("models.litellm_library", "models.bounded_client", "models.failures"),
    "apsw": ("knowledge.index", "checking.engine"),
    "duckdb": ("schema.tabular", "checking.engine"),
    "sqlalchemy": ("schema.database", "checking.engine"),
    "sqlite_vec": ("knowledge.index",),
    "wordllama": ("knowledge.embedders",),
    "click": ("cli",),
    "rich": ("cli", "demo"),
}


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        yield name.removesuffix(".__init__"), path


def imports(path: Path) -> set[str]:
    """Every module that a file imports anywhere, own ones without the package's name."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            module = node.module or ""
            names = {f"{module}.{alias.name}" for alias in node.names}
            own = {name for name in names if _is_module(name)}
            found |= own or {module}
    return found


def _is_module(name: str) -> bool:
    if not name.startswith("sqlscribe."):
        return False
    place = PACKAGE.joinpath(*name.split(".")[1:])
    return place.with_suffix(".py").exists() or place.is_dir()


def ring(name: str) -> int:
    """0 words, 1 steps, 2 edges, 3 use cases and state, 4 faces."""
    if name in WORDS or name == "":
        return 0
    if name in EDGES or name.startswith(EDGE_FOLDERS):
        return 2
    if name.startswith(FACES):
        return 4
    return 1 if name.startswith(STEPS) else 3


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_a_module_imports_only_from_its_own_ring_and_the_ones_inside(name: str, path: Path) -> None:
    outer = []
    for module in imports(path):
        if not module.startswith("sqlscribe"):
            continue
        target = module.removeprefix("sqlscribe").removeprefix(".")
        # Edges and steps are beside each other: an edge may use words and its own siblings.
        if ring(target) > ring(name):
            outer.append(target)
    assert not outer, f"{name} must not know {outer}"


@pytest.mark.parametrize(("name", "path"), list(modules()), ids=lambda value: str(value)[-40:])
def test_each_outside_library_has_its_owner(name: str, path: Path) -> None:
    for module in imports(path):
        owners = OWNERS.get(module.partition(".")[0])
        assert owners is None or name.startswith(owners), f"{name} must not import {module}"


def test_steps_read_no_clock_no_network_and_no_files() -> None:
    banned = {"socket", "http", "urllib.request", "requests", "httpx", "subprocess", "time"}
    allowed = {"prompting.bounds": {"time"}}  # The bound on a rendering's time.
    for name, path in modules():
        if ring(name) == 1:
            used = {module for module in imports(path) if module in banned}
            assert used <= allowed.get(name, set()), f"{name} imports {used}"


def test_nothing_read_becomes_code() -> None:
    for name, path in modules():
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in {"exec", "eval", "compile", "__import__"}, name
        used = imports(path) & {"pickle", "marshal", "shelve", "subprocess", "dill"}
        assert not used, f"{name} imports {used}"
