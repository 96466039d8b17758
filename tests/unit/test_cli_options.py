"""What the commands share."""

from sqlscribe.cli.options import finish


class Large:
    """Something whose text would take long to make, and which counts how often it is made."""

    written = 0

    def __repr__(self) -> str:
        Large.written += 1
        return "large"


async def _large() -> Large:
    return Large()


def test_the_result_of_a_command_is_never_written_out_as_a_text() -> None:
    assert isinstance(finish(_large()), Large)
    assert Large.written == 0
