"""A model as it is on a long day: mostly right, now and then slow, wrong, or not there."""

from __future__ import annotations

import re
from random import Random

from loopback import Behaviour, CloseMidway, Connection, Refuse, Say, Stream

_ASKED = re.compile(r"sort (\d+)")


class Moody:
    """Answers each request in a way that ``chance`` chooses, after a delay."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def __call__(self, connection: Connection) -> bool:
        if not connection.stays(self._chance.choice((0.02, 0.05, 0.1, 0.3, 0.8))):
            return False
        if not connection.exchange.path.endswith("/chat/completions"):
            return Refuse(404)(connection)
        # A server that counts few tokens has cut the prompt, and is asked no more of that size.
        tokens = len(connection.exchange.body) // 3
        return self._reply(_number(connection), tokens)(connection)

    def _reply(self, number: int, tokens: int) -> Behaviour:
        table = number % 50
        right = f"SELECT name_{table}\nFROM sales_{table}\nWHERE total > {number}"
        match self._chance.randrange(20):
            case 0:
                return Refuse(500, "the machine is on fire")
            case 1:
                return Refuse(429, "slow down", (("Retry-After", "1"),))
            case 2:
                return CloseMidway()
            case 3:
                return Say("I would rather talk about the weather.", prompt_tokens=tokens)
            case 4 | 5:
                wrong = right.replace("total", "totl")
                return Say(f"```sql\n{wrong}\n```", prompt_tokens=tokens)
            case 6:
                return Say("```sql\nDELETE FROM sales_1\n```", prompt_tokens=tokens)
            case 7 | 8 | 9:
                pieces = tuple(f"```sql\n{right}\n```".split(" "))
                spaced = tuple(f"{piece} " for piece in pieces)
                return Stream(spaced, pause=0.01, counts=(tokens, 10))
        return Say(f"```sql\n{right}\n```", prompt_tokens=tokens)


def _number(connection: Connection) -> int:
    """The number in the last question of the prompt."""
    said = " ".join(str(each["content"]) for each in connection.exchange.json["messages"])
    found = _ASKED.findall(said)
    return int(found[-1]) if found else 0
