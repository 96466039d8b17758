"""Every test here starts the real process."""

from pathlib import Path

import pytest

SHOP = {
    "db/shop.sql": (
        "CREATE TABLE customers (\n"
        "  customer_id integer PRIMARY KEY,\n"
        "  full_name text NOT NULL, -- as on the invoice\n"
        "  city text\n"
        ");\n"
        "CREATE TABLE orders (\n"
        "  order_id integer PRIMARY KEY,\n"
        "  customer_id integer NOT NULL REFERENCES customers (customer_id),\n"
        "  total numeric(10,2),\n"
        "  placed_at timestamp\n"
        ");\n"
    ),
    "training/customers.sql": (
        "-- ask: how many customers live in 'Lyon'?\n"
        "SELECT count(*) FROM customers WHERE city = 'Lyon';\n"
    ),
    "rules.md": "Revenue is the sum of orders.total.\n",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "e2e" in item.path.parts:
            item.add_marker(pytest.mark.e2e)


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small PostgreSQL workspace with the built-in model."""
    configuration = 'dialect = "postgres"\n[model]\nname = "verified"\n'
    return write(tmp_path / "shop", {**SHOP, "sqlscribe.toml": configuration})


def use_model(root: Path, address: str, *, more: str = "") -> None:
    """Let the workspace ask the model at ``address``."""
    (root / "sqlscribe.toml").write_text(
        f'dialect = "postgres"\n[model]\nname = "openai/test"\napi_base = "{address}"\n'
        f'api_key_env = "TEST_MODEL_KEY"\n{more}',
        "utf-8",
    )
