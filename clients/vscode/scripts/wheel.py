"""Builds the server's wheel, which the extension brings along and installs where it is wanted.

    python scripts/wheel.py          dist/sqlscribe-VERSION-py3-none-any.whl

Its files are stored and not compressed: the ``.vsix`` compresses the wheel as one, which makes it
a quarter smaller.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

HERE = Path(__file__).resolve().parents[1]
ROOT = HERE.parents[1]
GENERATED = "/.sqlscribe/"
"""In the example's folder, wherever somebody has tried it."""


def built(folder: str) -> Path:
    """The wheel as pip makes it, in ``folder``."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, str(ROOT)], check=True)
    [wheel] = Path(folder).glob("sqlscribe-*.whl")
    return wheel


def stored(wheel: Path, to: Path) -> None:
    with ZipFile(wheel) as packed, ZipFile(to, "w", ZIP_STORED) as loose:
        for entry in packed.infolist():
            if GENERATED in entry.filename:
                continue
            content = packed.read(entry)
            if entry.filename.endswith(".dist-info/RECORD"):
                lines = content.decode("utf-8").splitlines(keepends=True)
                content = "".join(line for line in lines if GENERATED not in line).encode("utf-8")
            loose.writestr(entry, content, ZIP_STORED)


def main() -> None:
    dist = HERE / "dist"
    dist.mkdir(exist_ok=True)
    for old in dist.glob("*.whl"):
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        wheel = built(folder)
        stored(wheel, dist / wheel.name)


if __name__ == "__main__":
    main()
