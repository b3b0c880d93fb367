"""Sizes, numbers and times as pages say them."""

from __future__ import annotations

from datetime import datetime

from auditor.service import MOST_COUNTED


def size_words(size: int) -> str:
    """'812 bytes', '61 KB', '1.4 MB'."""
    if size < 1024:
        return "1 byte" if size == 1 else f"{size} bytes"
    if size < 1024 * 1024:
        return f"{size / 1024:,.0f} KB"
    whole = size % (1024 * 1024) == 0
    return f"{size / 1024 / 1024:,.0f} MB" if whole else f"{size / 1024 / 1024:,.1f} MB"


def time_words(at: datetime) -> str:
    """'2026-11-20 14:05 UTC': the server does not know where the reader is."""
    return at.strftime("%Y-%m-%d %H:%M UTC")


def number_words(*numbers: int) -> str:
    """Numbers of audits, added up; "more than" where one of them was not counted to its end."""
    counted = sum(min(number, MOST_COUNTED) for number in numbers)
    return f"more than {counted:,}" if any(number > MOST_COUNTED for number in numbers) else str(counted)
