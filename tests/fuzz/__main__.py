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
_DONE = re.compile(r"Done (\d+) runs in (\d+) second|^#(\d+)\s.*cov: (\d+)", re.MULTILINE)


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
    for name in names:
        grown = found / name
        grown.mkdir(parents=True, exist_ok=True)
        options = [f"-max_total_time={seconds}", "-max_len=2000", "-timeout=30", "-rss_limit_mb=3000"]
        folders = [str(grown), str(CORPUS / name)]
        command = [sys.executable, "-m", "fuzz", "--one", name, f"-artifact_prefix={found}/{name}-"]
        done = subprocess.run(
            [*command, *options, *folders], stderr=subprocess.PIPE, text=True, errors="replace", check=False
        )
        tried = max((int(one) for one in re.findall(r"^#(\d+)\s", done.stderr, re.MULTILINE)), default=0)
        covered = re.findall(r"\bcov: (\d+)", done.stderr)
        verdict = "held" if done.returncode == 0 else "FAILED"
        rows.append(f"{name:12}{tried:12,}{covered[-1] if covered else '':>10}  {verdict}")
        if done.returncode:
            failed += 1
            sys.stderr.write(done.stderr[-4000:])
    print(f"{'target':12}{'inputs':>12}{'edges':>10}")
    print("\n".join(rows))
    return failed


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        run(sys.argv[2], sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", choices=sorted(each.name for each in CORPUS.iterdir()))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--found", type=Path, help="a folder that keeps what was found")
    chosen = parser.parse_args()
    names = [chosen.target] if chosen.target else sorted(each.name for each in CORPUS.iterdir())
    with tempfile.TemporaryDirectory() as folder:
        return min(1, every(names, chosen.seconds, chosen.found or Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
