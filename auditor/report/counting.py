"""How many acts there are to decide, in words: said in one place, for reports and for lists."""

from __future__ import annotations

from auditor.report.words import listed, plural


def to_decide(acts: int) -> str:
    """'5 to decide'."""
    return f"{acts:,} to decide"


def follow(more: int) -> str:
    """'3 more follow'; empty where none does."""
    return f"{more} more {'follows' if more == 1 else 'follow'}" if more else ""


def summary(*, verdict: str, acts: int, following: int, ambiguous: int, errors: int) -> str:
    """An audit in one line. `acts` stand by themselves, `following` follow from one of them."""
    said = [", ".join(filter(None, (to_decide(acts), follow(following))))] if acts else []
    if ambiguous:
        said.append(f"{ambiguous} could not be judged")
    if errors:
        said.append(f"{plural(errors, 'error')} in the file")
    return "; ".join(said) or ("nothing found" if verdict == "clean" else "not everything could be checked")


def tally(verdicts: dict[str, int], *, faults: int = 0, left_out: int = 0) -> str:
    """How many audits came to which verdict, in one line; and how many files were left out that may hold a log."""
    words = {"clean": "clean", "findings": "with findings", "incomplete": "incomplete", "unreadable": "unreadable"}
    said = [f"{verdicts[verdict]:,} {named}" for verdict, named in words.items() if verdicts.get(verdict)]
    if faults:
        said.append(f"{faults:,} not audited because of a fault of the auditor")
    left = f" {plural(left_out, 'file was', 'files were')} left out that may hold more." if left_out else ""
    return f"{plural(sum(verdicts.values()) + faults, 'log')}: {listed(said) or 'none'}.{left}"
