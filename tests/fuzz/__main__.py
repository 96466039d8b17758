"""Coverage-guided fuzzing of everything that reads what strangers wrote.

    make fuzz                        # each target for SECONDS=60, or one: TARGET=reply

It needs atheris. What it finds is printed with its input, which belongs into the tests of its
kind; inputs that reach new code are kept in a folder of their own, not in ``corpus``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

CORPUS = Path(__file__).with_name("corpus")
_TRIED = re.compile(r"^#(\d+)\s", re.MULTILINE)
_COVERED = re.compile(r"\bcov: (\d+)")
_SHOWN = 4_000
"""Characters of what is said about a failure."""


def run(target: str, options: list[str]) -> None:
    """Fuzz one target in this process; ends the process."""
    import atheris

    with atheris.instrument_imports(include=["sqlscribe"]):
        from fuzz.targets import TARGETS

    atheris.Setup([sys.argv[0], *options], TARGETS[target])
    atheris.Fuzz()


def every(names: list[str], seconds: int, found: Path) -> int:
    """Fuzz targets one after the other, each in a process of its own; how many failed."""
    rows, failed = [], 0
    limits = [f"-max_total_time={seconds}", "-max_len=2000", "-timeout=30", "-rss_limit_mb=3000"]
    for name in names:
        grown = found / name
        grown.mkdir(parents=True, exist_ok=True)
        options = [*limits, f"-artifact_prefix={found}/{name}-", str(grown), str(CORPUS / name)]
        command = [sys.executable, "-m", "fuzz", "--one", name, *options]
        done = subprocess.run(command, stderr=subprocess.PIPE, check=False)
        said = done.stderr.decode("utf-8", "replace")
        tried = max(map(int, _TRIED.findall(said)), default=0)
        edges = max(map(int, _COVERED.findall(said)), default=0)
        rows.append(f"{name:12}{tried:12,}{edges:10,}  {'FAILED' if done.returncode else 'held'}")
        if done.returncode:
            failed += 1
            sys.stderr.write(said[-_SHOWN:])
    print(f"{'target':12}{'inputs':>12}{'edges':>10}")
    print("\n".join(rows))
    return failed


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        run(sys.argv[2], sys.argv[3:])
    known = sorted(each.name for each in CORPUS.iterdir())
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=known)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--found", type=Path, help="a folder that keeps what was found")
    chosen = parser.parse_args()
    names = [chosen.target] if chosen.target else known
    with tempfile.TemporaryDirectory() as folder:
        return min(1, every(names, chosen.seconds, chosen.found or Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
