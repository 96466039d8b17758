"""An eight-hour day in minutes: a real server, spoken to in real LSP, watched from outside.

    make soak                        # MINUTES=10; JSON=file keeps the figures, SEED= the day

Ends with a table of figures and a verdict; the exit code is 1 where the server did not hold up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random

from loopback import LoopbackModel
from soak.figures import Figures, Watch, as_json, table
from soak.moody import Moody
from soak.peer import Peer
from soak.person import Lost, Person
from soak.places import Desk, small_folders

_MINUTES_OF_A_DAY = 480
_PACE = 600 / _MINUTES_OF_A_DAY
"""Seconds for one minute of the day; a shorter run is a shorter day at the same pace."""
_LOOK_SECONDS = 0.5


async def live(folder: Path, seconds: float, seed: int = 1) -> Figures:
    """A day of so many seconds in ``folder``, or what is left of it after a :class:`Lost`."""
    # An accident of the seed would be one of all days.
    chance = Random(seed)
    with LoopbackModel(Moody(Random(seed))) as model:
        desk = Desk(folder / "desk", model.api_base)
        environment = {"TEST_MODEL_KEY": "sk-not-a-real-key-000000"}
        peer = await Peer.start(desk.root, environment, {"status": True})
        watch = Watch(peer.process.pid)
        person = Person(peer, desk, small_folders(folder), watch, chance)
        looking = asyncio.create_task(_look(watch))
        problems: list[str] = []
        try:
            await _through(person, seconds)
            lived = watch.now
            looking.cancel()
            await person.goes_home()
            code = await peer.end()
            if code:
                problems.append(f"the server left with {code}")
        except (Lost, TimeoutError, OSError) as error:
            lived = watch.now
            problems.append(f"{type(error).__name__}: {error}")
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            await peer.kill()
        told = {f"the server's {name}": count for name, count in peer.counts.items()}
        told |= {f"told: {text}": count for text, count in peer.said.most_common(8)}
        asked = {"requests to the model": len(model.exchanges)}
        return Figures(watch, lived, {**person.done, **asked, **told}, problems + peer.problems)


async def _through(person: Person, seconds: float) -> None:
    """The minutes of the day, each in its time, or as soon as the one before has ended."""
    start = time.perf_counter()
    minute = 0
    while (passed := time.perf_counter() - start) < seconds:
        if passed < minute * _PACE:
            await asyncio.sleep(minute * _PACE - passed)
        await person.lives(minute)
        minute += 1


async def _look(watch: Watch) -> None:
    while True:
        watch.look()
        await asyncio.sleep(_LOOK_SECONDS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(live(Path(folder), chosen.minutes * 60, chosen.seed))
    print(table(figures))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(as_json(figures), indent=2) + "\n")
    wrong = figures.verdict()
    print("\nHELD UP" if not wrong else "\nDID NOT HOLD UP")
    for each in dict.fromkeys(wrong):
        print(f"  {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
