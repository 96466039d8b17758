"""Whether a text may count from today, so that a prompt must tell which day that is.

A small model that is told the date filters by it, whatever was asked. So it is told only where
a word may need it; in a question that names its year, only the words that surely do.
"""

from __future__ import annotations

import re

_SURELY = re.compile(
    r"\b(?:last|past|previous|this|next|current|currently|recent|recently|latest|today|tonight"
    r"|yesterday|tomorrow|now|nowadays|ago|so far|ytd|mtd|qtd|to date|as of|upcoming|coming"
    r"|overdue|heute|gestern|letzte\w*|aktuell\w*|vorig\w*|aujourd|hier|derni\w+|actuel\w*"
    r"|hoy|ayer|últim\w+|ultim\w+|actual\w*|pasad\w+)\b"
    r"|今[天日年早晚]|本日|昨|明天|上个?[周月季年]|本[周月季年]|去年|前年|下个?[周月季年]|最近|近[一二两三四五六七八九十几\d]|目前|现在|当前|以来"
    r"|迄今|先月|先週|来月|지난|오늘|어제|최근",
    re.IGNORECASE,
)
_DURATION = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|ten|twelve|thirty|sixty|ninety|few|couple)[ -]"
    r"(?:days?|weeks?|months?|quarters?|years?|hours?|minutes?|tagen?|wochen?|monaten?|jahren?"
    r"|jours?|semaines?|mois|ans|d[ií]as|semanas|meses|años)\b"
    r"|\b(?:since|until|till|before|after)\s+(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may"
    r"|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
    r"|\b(?:expire[sd]?|expiring|due)\b"
    # From the first letter of a number alone: of a long one it would be read from each.
    r"|(?<![一二两三四五六七八九十\d])[一二两三四五六七八九十\d]++\s*+个?(?:天|日|周|月|季度|年)[内前后]"
    r"|过期|到期|逾期",
    re.IGNORECASE,
)
_NAMES_YEAR = re.compile(
    r"(?<!\d)(?:19|20)\d\d(?!\d)|['’]\d\d\b|\bFY ?\d\d|[零〇一二三四五六七八九]{4}年"
)


def may_count_from_today(text: str) -> bool:
    """True for ``last month`` and ``older than 30 days``, false for ``in March 2023``."""
    if _SURELY.search(text):
        return True
    return _DURATION.search(text) is not None and _NAMES_YEAR.search(text) is None
