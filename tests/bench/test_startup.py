"""Start-up: from spawn to the answer to ``initialize``, against a bare pygls server.

Run with ``make bench``. The two benchmarks run in turn in one group, so that their ratio means
something on a noisy machine; `test_ratio` prints it.
"""

import json
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

BARE = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer("bare", "1")
@server.feature(types.TEXT_DOCUMENT_HOVER)
def hover(params: types.HoverParams):
    return None
server.start_io()
"""
COMMANDS = {
    "bare pygls": [sys.executable, "-c", BARE],
    "sqlscribe": [sys.executable, "-m", "sqlscribe", "serve"],
}
_ROUNDS = 15


def initialize(command: list[str], cwd: Path) -> float:
    """Seconds from spawn to the whole answer."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"capabilities": {}, "processId": None, "rootUri": cwd.as_uri()},
    }
    body = json.dumps(message).encode()
    start = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=cwd,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    process.stdin.flush()
    length = 0
    while (line := process.stdout.readline()) != b"\r\n":
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    assert b'"result"' in process.stdout.read(length)
    seconds = time.perf_counter() - start
    process.kill()
    process.wait()
    return seconds


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.benchmark(group="spawn to initialize")
def test_startup(benchmark: BenchmarkFixture, name: str, tmp_path: Path) -> None:
    benchmark.pedantic(initialize, args=(COMMANDS[name], tmp_path), rounds=_ROUNDS, warmup_rounds=2)


def test_ratio(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pairs = []
    for _ in range(_ROUNDS):
        bare = initialize(COMMANDS["bare pygls"], tmp_path)
        ours = initialize(COMMANDS["sqlscribe"], tmp_path)
        pairs.append(ours / bare)
    with capsys.disabled():
        low, median, high = min(pairs), statistics.median(pairs), max(pairs)
        print(f"\nspawn to initialize, sqlscribe / bare pygls: {low:.2f} {median:.2f} {high:.2f}")
    assert len(pairs) == _ROUNDS
