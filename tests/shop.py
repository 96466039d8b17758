"""A small workspace for end-to-end tests, and the model it asks."""

from __future__ import annotations

from pathlib import Path

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


def write(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    return root


def use_model(root: Path, address: str, *, more: str = "") -> None:
    """Let the workspace ask the model at ``address``."""
    (root / "sqlscribe.toml").write_text(
        f'dialect = "postgres"\n[model]\nname = "openai/test"\napi_base = "{address}"\n'
        f'api_key_env = "TEST_MODEL_KEY"\n{more}',
        "utf-8",
    )
