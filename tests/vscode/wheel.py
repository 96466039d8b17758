"""Makes a wheel that stands for the server and needs nothing: wheel.py WHEEL PROGRAM.

Its program is the real server, which is installed already and takes minutes to install.
"""

import sys
import zipfile
from pathlib import Path

wheel, program = Path(sys.argv[1]), sys.argv[2]
info = "sqlscribe-9.0.dist-info/"
files = {
    "sqlscribe_stands_for.py": (
        f"import os, sys\n\ndef main():\n    os.execv({program!r}, [{program!r}, *sys.argv[1:]])\n"
    ),
    f"{info}METADATA": "Metadata-Version: 2.1\nName: sqlscribe\nVersion: 9.0\n",
    f"{info}WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    f"{info}entry_points.txt": "[console_scripts]\nsqlscribe = sqlscribe_stands_for:main\n",
    f"{info}RECORD": "",
}
with zipfile.ZipFile(wheel, "w") as packed:
    for name, text in files.items():
        packed.writestr(name, text)
