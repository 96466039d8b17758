"""Results that are JSON already.

The library makes a message from typed objects, at some twenty microseconds each. A long file
has more than a thousand lenses, and they are asked for after every pause in typing.
"""

from __future__ import annotations

import json


class Encoded(str):
    """The result of a request as the JSON that goes out."""

    __slots__ = ()


def message(number: int | str, result: Encoded, headers: bool) -> bytes:
    """The answer to a request, as it goes out."""
    body = f'{{"jsonrpc":"2.0","id":{json.dumps(number)},"result":{result}}}'.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body) if headers else body
