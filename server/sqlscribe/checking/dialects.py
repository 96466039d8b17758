from __future__ import annotations


def check_dialect(parse, schema):
    return ()
