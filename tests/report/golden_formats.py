"""Reports in other forms that are kept as files and compared whole. `python -m tests.report.golden_formats` accepts
them anew."""

from __future__ import annotations

import json
from functools import cache

from auditor.report.sarif import sarif_log, sarif_part
from auditor.report.spreadsheet import csv_head, csv_rows
from auditor.report.terminal import brief_text, report_text
from tests.report.golden import FOLDER
from tests.report.samples import NAMES, sample

KEPT = (*(f"{name}.txt" for name in NAMES), "brief.txt", "full.csv", "full.sarif")


@cache
def formats() -> dict[str, str]:
    """Every text that is kept, by the name of its file."""
    kept: dict[str, str] = {}
    for name in NAMES:
        audit, _, rules, readings, header = sample(name).parts
        kept[f"{name}.txt"] = report_text(audit, rules, readings, header, name=f"{name}.jsonl")
    audit, _, rules, readings, header = sample("full").parts
    kept["brief.txt"] = brief_text(audit, rules, readings, header, name="full.jsonl")
    kept["full.csv"] = csv_head() + csv_rows(audit, rules, name="full.jsonl", heading=header)
    sarif = sarif_log([sarif_part(audit, name="full.jsonl")], rules, "tabletop-auditor 1")
    kept["full.sarif"] = json.dumps(sarif, ensure_ascii=False, indent=1) + "\n"
    return kept


def main() -> None:
    """Write the texts as they are now."""
    for name, text in formats().items():
        (FOLDER / name).write_text(text, encoding="utf-8", newline="")


if __name__ == "__main__":
    main()
