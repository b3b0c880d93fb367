"""Pages made from the rules themselves: rules, readings, limits."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, render_template, request, url_for

from auditor.report import rulebook
from auditor.web.shell import rule_href, rule_links, service
from auditor.web.words import size_words

pages = Blueprint("rulebook", __name__)


def game() -> str:
    """The game that a page is about: the one asked for, else the first."""
    games = service().games()
    asked = request.args.get("game") or next(iter(games))
    if asked not in games:
        abort(404)
    return asked


@pages.get("/rules")
def rules() -> str:
    """All rules of a game."""
    key = game()
    return render_template("rules.html", page=rulebook.rules_page(service().rules(key), rule_links(), key))


@pages.get("/rules/<rule_id>")
def rule(rule_id: str) -> str:
    """One rule, in our words."""
    key, found = service().rule(rule_id)
    page = rulebook.rule_page(found, service().readings(key), rule_links())
    return render_template("rule.html", page=page, rules_href=url_for("rulebook.rules", game=key))


@pages.get("/readings")
def readings() -> str:
    """The questions that the rules leave open; with the answers of a stored set, if one is named."""
    key = game()
    named = service().all_named_rulings()
    asked = request.args.get("rulings")
    in_force = None
    if asked is not None:
        answers = service().named_rulings(asked).value["readings"]
        in_force = {each["id"]: answers.get(each["id"], each["default"]) for each in service().readings(key)}
    lines = rulebook.readings_page(service().readings(key), rule_links(), in_force)
    return render_template("readings_web.html", readings=lines, sets=named, asked=asked)


@pages.get("/limits")
def limits() -> str:
    """What an audit cannot say, what no log can be checked for, and how much may be sent."""
    settings = service().settings
    unseen: list[tuple[str, str, Any]] = [
        (each["id"], rule_href(each["id"]), each["auditable"] if isinstance(each["auditable"], str) else "")
        for key in service().games()
        for each in service().rules(key)
        if each["auditable"] is not True
    ]
    sizes = [
        ("Files in one go", str(settings.max_files)),
        ("Bytes in one go", size_words(settings.max_request_bytes)),
        ("Files in one zip", f"{settings.max_members:,}"),
        ("A zip unpacked", size_words(settings.max_unpacked_bytes)),
        ("One log unpacked", size_words(service().limits.decoded)),
        ("Events in one log", f"{service().limits.events:,}"),
        ("One line of a log", size_words(service().limits.line)),
        ("Objects and lists within each other", str(service().limits.depth)),
        ("Integers", "−(2^53 − 1) to 2^53 − 1"),
        ("An id", "64 characters"),
        ("A text", "2,000 characters"),
        ("A rulings file", size_words(settings.max_rulings_bytes)),
        ("Time for one audit", f"{settings.audit_seconds:g} seconds"),
        ("Memory for one audit", size_words(settings.audit_memory_bytes)),
        ("Time to draw an event", f"{settings.draw_seconds:g} seconds"),
    ]
    return render_template("limits_web.html", rules=unseen, sizes=sizes)
