"""How much of a prompt a llama.cpp server need not read again for the next question.

    python tests/bench/prefix_cache.py --api-base http://127.0.0.1:8080 [--workspace FOLDER]
        [QUESTION QUESTION …]

Asks the questions of one workspace one after the other, as ``sqlscribe ask`` would, for one token
each. The stable part of a prompt is its system message: all of it should come from the cache from
the second question on. Exit code 1 where it is less than 90 %.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

SHOP = Path(__file__).parents[2] / "examples" / "shop"
QUESTIONS = (
    "revenue by month",
    "customers who returned something",
    "the five best-selling products of each category",
)
LEAST = 0.9


def messages(question: str, workspace: Path) -> list[dict[str, str]]:
    """What would be sent for a question."""
    command = [sys.executable, "-m", "sqlscribe", "prompt", question, "--json"]
    command += ["--workspace", str(workspace)]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True)
    found: list[dict[str, str]] = json.loads(run.stdout)["messages"]
    return found


def post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    request = urllib.request.Request(
        address, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=1200) as response:
        found: dict[str, Any] = json.load(response)
    return found


def tokens(server: str, sent: list[dict[str, str]]) -> int:
    """How long the server's own model takes messages to be, with its marks of the roles."""
    text = post(f"{server}/apply-template", {"messages": sent})["prompt"]
    return len(post(f"{server}/tokenize", {"content": text})["tokens"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", default=QUESTIONS)
    parser.add_argument("--api-base", required=True)
    parser.add_argument("--workspace", type=Path, default=SHOP)
    chosen = parser.parse_args()
    server = chosen.api_base.removesuffix("/").removesuffix("/v1")
    lowest = 1.0
    for number, question in enumerate(chosen.questions):
        sent = messages(question, chosen.workspace)
        # The mark that begins the next message is no part of what stays the same.
        stable = tokens(server, sent[:1]) - _opening(server)
        reply = post(f"{server}/v1/chat/completions", {"messages": sent, "max_tokens": 1})
        timings = reply["timings"]
        cached, read = timings["cache_n"], timings["prompt_n"]
        share = min(cached / stable, 1.0)
        print(
            f"{question}: {cached} of {cached + read} tokens from the cache;"
            f" the stable part is {stable}, of it {share:.0%}"
        )
        if number:
            lowest = min(lowest, share)
    return 0 if lowest >= LEAST else 1


def _opening(server: str) -> int:
    """Tokens with which the model's own message is opened at the end of a prompt."""
    said = [{"role": "user", "content": "x"}]
    whole = post(f"{server}/apply-template", {"messages": said})["prompt"]
    without = whole[: whole.rindex("x")]
    behind = whole[len(without) + 1 :]
    return len(post(f"{server}/tokenize", {"content": behind})["tokens"])


if __name__ == "__main__":
    sys.exit(main())
