"""Throw-away database servers for tests: real PostgreSQL and MariaDB, gone at the end.

    with postgres_server() as url: ...

``url`` is SQLAlchemy's, of an empty database and an account that may do everything.
A server listens on a free port of the loopback address and keeps its files in a folder of
its own. Where no server is installed the test is skipped, with the reason;
``tests/engines/install`` installs both on Debian.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

_PATIENCE = 60.0
"""Seconds in which a server starts or stops, on a busy machine."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """A PostgreSQL server with an empty UTF-8 database."""
    initdb, postgres, is_ready = (
        _binary(name, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))
        for name in ("initdb", "postgres", "pg_isready")
    )
    user = _account("postgres")
    with _folder(user) as folder:
        data = folder / "data"
        _run([initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale",
              "--no-sync"], user)  # fmt: skip
        port = _free_port()
        command = [postgres, "-D", data, "-k", folder, "-p", port, "-F",
                   "-c", "listen_addresses=127.0.0.1"]  # fmt: skip
        ready = [is_ready, "-q", "-h", "127.0.0.1", "-p", port]
        with _running(command, user, folder, ready, stop=signal.SIGINT):
            yield f"postgresql+psycopg://postgres@127.0.0.1:{port}/postgres"


@contextmanager
def mariadb_server() -> Iterator[str]:
    """A MariaDB server with an empty utf8mb4 database called ``test``."""
    places = [Path("/usr/sbin"), Path("/usr/libexec")]
    install, server, admin = (
        _binary(name, places) for name in ("mariadb-install-db", "mariadbd", "mariadb-admin")
    )
    user = _account("mysql")
    with _folder(user) as folder:
        data, first = folder / "data", folder / "first.sql"
        as_user = [f"--user={user}"] if user else []
        _run([install, "--no-defaults", f"--datadir={data}", f"--tmpdir={folder}",
              "--skip-test-db", *as_user], "")  # fmt: skip
        first.write_text(
            "CREATE DATABASE test CHARACTER SET utf8mb4;\n"
            "CREATE USER 'tester'@'%';\n"
            "GRANT ALL ON *.* TO 'tester'@'%' WITH GRANT OPTION;\n"
        )
        first.chmod(0o644)
        port = _free_port()
        command = [server, "--no-defaults", f"--datadir={data}", f"--tmpdir={folder}",
                   f"--socket={folder / 'socket'}", f"--pid-file={folder / 'pid'}",
                   f"--port={port}", "--bind-address=127.0.0.1", "--skip-name-resolve",
                   f"--init-file={first}", *as_user]  # fmt: skip
        ready = [admin, "--no-defaults", "--protocol=tcp", "-h", "127.0.0.1", "-P", port,
                 "-u", "tester", "--silent", "ping"]  # fmt: skip
        with _running(command, "", folder, ready, stop=signal.SIGTERM):
            yield f"mysql+pymysql://tester@127.0.0.1:{port}/test?charset=utf8mb4"


def _binary(name: str, places: Sequence[Path]) -> Path:
    """The program, from one of ``places`` or the path; without it the test is skipped."""
    found = next((place / name for place in places if (place / name).is_file()), None)
    on_path = shutil.which(name)
    if found is None and on_path is None:
        pytest.skip(f"{name} is not installed; see tests/engines/install")
    return found or Path(str(on_path))


def _account(name: str) -> str:
    """Who runs the server: the packages' own account where we are root, else we ourselves."""
    if os.geteuid() != 0:
        return ""
    try:
        pwd.getpwnam(name)
    except KeyError:
        pytest.skip(f"there is no account {name}, and the server does not run as root")
    return name


@contextmanager
def _folder(user: str) -> Iterator[Path]:
    """A folder that belongs to the server's account, removed at the end."""
    with tempfile.TemporaryDirectory(prefix="engine-", ignore_cleanup_errors=True) as name:
        if user:
            shutil.chown(name, user)
        yield Path(name)


def _run(command: Sequence[object], user: str) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        user=user or None,
        group=pwd.getpwnam(user).pw_gid if user else None,
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
        timeout=_PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@contextmanager
def _running(
    command: Sequence[object],
    user: str,
    folder: Path,
    ready: Sequence[object],
    *,
    stop: signal.Signals,
) -> Iterator[None]:
    """The server while the block runs; ``ready`` is a command that succeeds once it answers."""
    log = folder / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            user=user or None,
            group=pwd.getpwnam(user).pw_gid if user else None,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            # A signal for the tests, Ctrl-C say, is not one for the server: it is stopped below.
            start_new_session=True,
        )
    try:
        words = [str(part) for part in ready]
        _wait(lambda: process.poll() is not None or _succeeds(words), log)
        assert process.poll() is None, log.read_text(errors="replace")[-2000:]
        yield
    finally:
        process.send_signal(stop)
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _succeeds(command: Sequence[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _wait(until: Callable[[], bool], log: Path) -> None:
    end = time.monotonic() + _PATIENCE
    while not until():
        assert time.monotonic() < end, log.read_text(errors="replace")[-2000:]
        time.sleep(0.1)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
