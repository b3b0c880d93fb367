"""Pages made from the rules themselves: rules, readings, limits."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from auditor import systems
from auditor.core import bounds
from auditor.report import onefile, replay, rulebook
from auditor.report.boards.pen import MOST_DRAWN, MOST_TOLD
from auditor.web.shell import reading_href, rule_href, rule_links, service
from auditor.web.words import size_words

pages = Blueprint("rulebook", __name__)


Page = str | Response


def other_games(endpoint: str, here: str = "") -> list[tuple[str, str, bool]]:
    """The way to the same page of every game: its title, address and whether it is this one. Empty for a lone game."""
    titles = service().games.titles()
    if len(titles) == 1 and here:
        return []
    return [(title, url_for(endpoint, game_or_id=key), key == here) for key, title in titles.items()]


def to_a_game(endpoint: str, what: str) -> Page:
    """On to the page of the game asked for or of the only one there is; where there are several, a page to choose."""
    titles = service().games.titles()
    key = request.args.get("game") or (next(iter(titles)) if len(titles) == 1 else None)
    if key is None:
        return render_template("rulebooks.html", what=what, games=other_games(endpoint))
    if key not in titles:
        abort(404)
    return redirect(url_for(endpoint, game_or_id=key))


@pages.get("/rules")
def rules() -> Page:
    """The rules of the only game, or the games to choose from."""
    return to_a_game("rulebook.rule", "Rules")


@pages.get("/rules/<game_or_id>")
def rule(game_or_id: str) -> Page:
    """All rules of a game, or one rule in our words."""
    titles = service().games.titles()
    if game_or_id in titles:
        key = game_or_id
        page = rulebook.rules_page(service().games.rules(key), rule_links(key), titles[key])
        return render_template(
            "rules.html", page=page, games=other_games("rulebook.rule", key), caveat=service().games.caveat(key)
        )
    key, found = service().games.rule(game_or_id)
    one = rulebook.rule_page(found, service().games.readings(key), rule_links(key))
    rules_href = url_for("rulebook.rule", game_or_id=key)
    return render_template("rule.html", page=one, rules_href=rules_href, caveat=service().games.caveat(key))


@pages.get("/readings")
def readings() -> Page:
    """The readings of the only game or of the rulings named, or the games to choose from."""
    asked = request.args.get("rulings")
    if asked is not None:
        named = service().rulings.named(asked)
        if named.game is not None:
            return redirect(url_for("rulebook.game_readings", game_or_id=named.game, rulings=named.name))
    return to_a_game("rulebook.game_readings", "Open questions")


@pages.get("/readings/<game_or_id>")
def game_readings(game_or_id: str) -> Page:
    """The questions that the rules of a game leave open; with the answers of a stored set, if one is named.

    The name of a reading leads to its place among those of its game.
    """
    titles = service().games.titles()
    if game_or_id not in titles:
        for game in titles:
            if any(each["id"] == game_or_id for each in service().games.readings(game)):
                return redirect(reading_href(game_or_id, game))
        abort(404)
    key = game_or_id
    named = [each for each in service().rulings.all_named() if each.game == key]
    asked = request.args.get("rulings")
    in_force = None
    if asked is not None:
        chosen = service().rulings.named(asked)
        if chosen.game not in (None, key):
            abort(404)
        answers = chosen.value["readings"]
        in_force = {each["id"]: answers.get(each["id"], each["default"]) for each in service().games.readings(key)}
    lines = rulebook.readings_page(service().games.readings(key), rule_links(key), in_force)
    return render_template(
        "readings_web.html",
        readings=lines,
        sets=named,
        asked=asked,
        game=key,
        games=other_games("rulebook.game_readings", key),
        caveat=service().games.caveat(key),
    )


def _bytes_of_an_audit() -> str:
    parts = (bounds.MOST_BYTES_DRAWN, bounds.MOST_BYTES_OF_FINDINGS, bounds.MOST_BYTES_OF_NOTES)
    return ", ".join(f"{part:,}" for part in parts)


def _of_games() -> list[tuple[str, str]]:
    """What the logs of single games may have at most, where that is less than any log may have."""
    rows: list[tuple[str, str]] = []
    for key, title in service().games.titles().items():
        form = systems.game(key).format if key in systems.game_keys() else None
        if form is not None and form.most_events is not None and form.most_bytes is not None:
            rows.append((f"A log of {title}", f"{form.most_events:,} events, {size_words(form.most_bytes)}"))
    return rows


@pages.get("/limits")
def limits() -> str:
    """What an audit cannot say, what no log can be checked for, and how much may be sent."""
    settings, read = service().settings, service().limits
    unseen: list[tuple[str, str, Any]] = [
        (each["id"], rule_href(each["id"]), each["auditable"] if isinstance(each["auditable"], str) else "")
        for key in service().games.titles()
        for each in service().games.rules(key)
        if each["auditable"] is not True
    ]
    sizes = [
        ("Files in one go", str(settings.max_files)),
        ("Bytes in one go", size_words(settings.max_request_bytes)),
        ("Files in one zip", f"{settings.max_members:,}"),
        ("A zip unpacked", size_words(settings.max_unpacked_bytes)),
        ("One file of it unpacked", f"{size_words(read.free)}, and {read.ratio} times its packed size"),
        ("One log unpacked", size_words(read.decoded)),
        ("Events in one log", f"{read.events:,}"),
        ("One line of a log", size_words(read.line)),
        ("Objects and lists within each other", str(read.depth)),
        ("Integers", "−(2^53 − 1) to 2^53 − 1"),
        ("An id", "64 characters"),
        ("A text", "2,000 characters"),
        ("A rulings file", size_words(settings.max_rulings_bytes)),
        ("Data packs in one go", size_words(settings.max_pack_bytes)),
        ("Findings listed in an audit", f"{bounds.MOST_SEEN:,}"),
        ("Findings drawn in an audit", f"{bounds.MOST_DRAWN:,}"),
        ("Events replayed once more to see what findings led to, for each event", str(2 * bounds.STEPS_PER_EVENT)),
        ("Such events in an audit", f"{2 * bounds.LEAST_STEPS:,} to {2 * bounds.MOST_STEPS:,}"),
        ("Findings for which it is looked into what a line may have meant", f"{bounds.MOST_EXPLAINED:,}"),
        ("Changes of a line tried for each", f"{bounds.MOST_SUPPOSED:,}"),
        (
            "Events gone through for that in an audit",
            f"{bounds.RETOLD_PER_EVENT} for each of the log, from {bounds.LEAST_RETOLD:,} to {bounds.MOST_RETOLD:,}",
        ),
        ("Names not written as they are known that are looked at in a log", f"{bounds.MOST_RESPELLED:,}"),
        ("Of names that fit none, those for which the nearest is sought", f"{bounds.MOST_NEAREST:,}"),
        ("Errors of the file listed in an audit", f"{bounds.MOST_ERRORS:,}"),
        ("Notes listed in an audit", f"{bounds.MOST_NOTES:,}"),
        ("Unchecked events listed in an audit", f"{bounds.MOST_UNCHECKED:,}"),
        ("Work to judge one log, in steps of about a microsecond", f"{bounds.MOST_WORK:,}"),
        ("Work to find out what its faults led to", f"{bounds.MOST_WORK_ON_CAUSES:,}"),
        ("Bytes of boards, of findings and of notes in an audit", _bytes_of_an_audit()),
        ("Letters of pictures on a page of a report", f"{MOST_DRAWN:,}"),
        ("Letters of the events told round its findings", f"{MOST_TOLD:,}"),
        ("The same of a report in one file, which may weigh more than a page", f"{onefile.MOST_DRAWN:,}"),
        ("Findings of an event that its page tells", f"{replay.MOST_CASES:,}"),
        *_of_games(),
        ("Processor time for one audit", f"{settings.audit_seconds:g} seconds"),
        ("Memory for one audit", size_words(settings.audit_memory_bytes)),
        ("Processor time to draw some events", f"{settings.draw_seconds:g} seconds"),
        ("Drawings kept for the next reader", size_words(settings.max_kept_bytes)),
    ]
    return render_template("limits_web.html", rules=unseen, sizes=sizes, least=bounds.LEAST_OTHERWISE)
