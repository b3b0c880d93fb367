"""What can be measured of how a page looks: what is too wide, words broken within themselves, signs left by their words."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

TOO_WIDE = "document.documentElement.scrollWidth - window.innerWidth"

BROKEN_WORDS = r"""most => {
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (node.parentElement.closest('svg, code, .mono, .rid, .vh, script, .errs, .cmp td, .kv dd, .fn')) { continue; }
        for (const word of node.data.matchAll(/\p{L}{2,}/gu)) {
            if (word[0].length > most) { continue; }
            range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
            const boxes = Array.from(range.getClientRects()).filter(box => box.width > 0);
            if (boxes.some(box => box.top >= boxes[0].bottom - 1)) {
                const around = node.data.slice(Math.max(0, word.index - 1), word.index + word[0].length + 1);
                if (!/[^\s.,;:()“”"'’!?/–—-]/.test(around.replace(word[0], ''))) { found.push(word[0] + ' in ' + node.parentElement.outerHTML.slice(0, 90)); }
            }
        }
    }
    return found;
}"""
"""Words of at most so many letters, standing by themselves, that begin on one line and end on another."""

SIGNS_APART = """() => Array.from(document.querySelectorAll('svg.k:not(svg svg), .lt')).filter(sign => {
    const at = sign.getBoundingClientRect();
    if (!at.width) { return false; }
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    walk.currentNode = sign;
    while (walk.nextNode()) {
        const node = walk.currentNode;
        if (sign.contains(node) || !node.data.trim() || node.parentElement.closest('svg, .vh')) { continue; }
        const start = node.data.search(/\\S/);
        range.setStart(node, start); range.setEnd(node, start + 1);
        const word = range.getBoundingClientRect();
        return word.width > 0 && (word.top > at.bottom || word.bottom < at.top || word.left < at.left);
    }
    return false;
}).map(sign => sign.parentElement.outerHTML.slice(0, 200))"""
"""Signs that do not stand on the line of the word that follows them."""

TALLIES_CUT = """() => Array.from(document.querySelectorAll('.across')).filter(
    box => box.scrollWidth > box.clientWidth).map(box => `${box.scrollWidth} in ${box.clientWidth}`)"""
"""Tallies of a report that are wider than their place, so that a column of them is not seen."""

WORDS_OVER_WORDS = """() => Array.from(document.querySelectorAll('.board.cards')).flatMap(board => {
    const words = [], walk = document.createTreeWalker(board, NodeFilter.SHOW_TEXT), range = document.createRange();
    while (walk.nextNode()) {
        const node = walk.currentNode;
        if (!node.data.trim() || node.parentElement.closest('.vh, title, desc')
            || !node.parentElement.checkVisibility({visibilityProperty: true})) { continue; }
        range.selectNodeContents(node);
        for (const {left, right, top, bottom} of range.getClientRects()) {
            const seen = {left, right, top, bottom};
            for (let around = node.parentElement; around !== board; around = around.parentElement) {
                if (getComputedStyle(around).overflow === 'visible') { continue; }
                const edge = around.getBoundingClientRect();  // What is beyond it is cut off.
                seen.left = Math.max(seen.left, edge.left); seen.right = Math.min(seen.right, edge.right);
                seen.top = Math.max(seen.top, edge.top); seen.bottom = Math.min(seen.bottom, edge.bottom);
            }
            seen.height = seen.bottom - seen.top;
            if (seen.right - seen.left > 1 && seen.height > 3) { words.push([node, seen]); }
        }
    }
    const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
        && a.top + a.height / 5 < b.bottom - b.height / 5 && b.top + b.height / 5 < a.bottom - a.height / 5;
    return words.flatMap(([one, a], i) => words.slice(i + 1).filter(([other, b]) => other !== one && over(a, b)).map(
        ([other]) => `${one.data.trim()} over ${other.data.trim()}`)).slice(0, 5);
})"""
"""Words on tables of cards that lie over others."""

LONGEST_WHOLE = 20


def flaws(page: Page) -> dict[str, Any]:
    """What is wrong with how a page lies on its paper or screen; empty where nothing is."""
    found = {
        "wider than the screen by": max(0, page.evaluate(TOO_WIDE)),
        "broken words": page.evaluate(BROKEN_WORDS, LONGEST_WHOLE),
        "signs apart": page.evaluate(SIGNS_APART),
        "tallies cut": page.evaluate(TALLIES_CUT),
        "words over words": page.evaluate(WORDS_OVER_WORDS),
    }
    return {what: value for what, value in found.items() if value}
