"""The tables of fields in docs/log-format.md: what `auditor schema GAME --table` prints, kept there word for word."""

from __future__ import annotations

from pathlib import Path

from auditor import engine, systems

PAGE = Path(__file__).parents[1] / "docs" / "log-format.md"


def page(text: str) -> str:
    """The page with the table of each game as it is now."""
    for game in systems.game_keys():
        begin, end = f"<!-- fields of {game} -->\n", f"<!-- end of the fields of {game} -->"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{engine.table(game)}\n{end}{rest.partition(end)[2]}"
    return text


def main() -> None:
    """Write the tables anew."""
    PAGE.write_text(page(PAGE.read_text()))


if __name__ == "__main__":
    main()
