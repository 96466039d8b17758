from __future__ import annotations


def check_quality(parse, walk):
    return ()
