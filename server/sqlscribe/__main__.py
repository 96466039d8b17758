"""Entry point of ``sqlscribe`` and ``python -m sqlscribe``."""

from __future__ import annotations

import gc
import sys


def main() -> None:
    """Start the server, or any other command."""
    try:
        _run(sys.argv[1:])
    except KeyboardInterrupt:
        # While something was being imported; the commands themselves say it in their own way.
        sys.exit(130)


def _run(arguments: list[str]) -> None:
    """``serve`` does not go through the command-line library.

    Nothing may be imported before standard output is claimed, and nothing that the protocol
    does not need.
    """
    if arguments[:1] == ["serve"] and not {"-h", "--help"} & set(arguments):
        from sqlscribe.lsp.process import claim_stdout, leave

        stdout = claim_stdout()

        # The protocol's thousands of classes are made once and stay: looking through them for
        # garbage while they are made, and ever again, would cost more than it finds.
        gc.disable()
        from sqlscribe.lsp.serve import serve

        gc.freeze()
        # Only syntax trees make cycles, and a large schema is long to look through. What is young
        # is looked through often: no request waits long for that, and little garbage piles up.
        gc.set_threshold(5_000, 10, 100)
        gc.enable()

        leave(serve(arguments[1:], stdout))
    from sqlscribe.cli import command_line

    command_line()


if __name__ == "__main__":
    main()
