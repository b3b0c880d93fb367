"""The fixed drawings of a hex board: badges of contacts, tokens of units, patterns of the ground, faces of the dice.

Shape before colour: each can be told from the others without any colour and on paper.
"""

from __future__ import annotations

# Badges: the shape says how the line meets a thing, the number says where it stands in the list beside the picture.
BADGES = {
    "through": '<circle r="8.2"/>',
    "along": '<rect x="-12" y="-7.4" width="24" height="14.8" rx="3.2"/>',
    "corner": '<path d="M0-10.6L10.6 0 0 10.6-10.6 0z"/>',
    "door": '<path d="M-8-8H8V8H-8z"/>',
    "door_end": '<path d="M0-11.5L11.5 7.5H-11.5z"/>',
    "door_along": '<path d="M-9-7.4H15L9 7.4H-15z"/>',
}

# Units: a ringed disc for the first side in the alphabet, a solid octagon for the second, a square for any other.
TOKENS = {
    "a": '<circle class="tok" r="18"/><circle class="tok-in" r="15.2"/>',
    "b": '<path class="tok" d="M-10-17.5H10L17.5-10V10L10 17.5H-10L-17.5 10V-10z"/>',
    "c": '<rect class="tok" x="-17" y="-17" width="34" height="34" rx="6"/>',
}
# Round the token of the unit that acts.
ACTING = {
    "a": '<circle class="acting" r="21.5"/>',
    "b": '<path class="acting" d="M-12-21H12L21-12V12L12 21H-12L-21 12V-12z"/>',
    "c": '<rect class="acting" x="-20.5" y="-20.5" width="41" height="41" rx="8"/>',
}

# Patterns and faces of dice, once on every page that shows any of them.
DEFS = (
    '<pattern id="p-blocked" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect class="pb-bg" width="7" height="7"/><rect class="pb-fg" width="3.1" height="7"/></pattern>'
    '<pattern id="p-rubble" width="15" height="13" patternUnits="userSpaceOnUse">'
    '<path class="pr" d="M2 5l2.4-3.6L7 5zM9.5 11.5l2.2-3 2.2 3z"/></pattern>'
    '<pattern id="p-seen" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(-30)">'
    '<rect class="ps-bg" width="5" height="5"/><rect class="ps-fg" width="5" height="1.1"/></pattern>'
    '<symbol id="d-C" viewBox="0 0 24 24"><rect class="die" x="1" y="1" width="22" height="22" rx="4"/>'
    '<path class="pip" d="M12 2.6l1.9 4.5 4.6-1.6-1.6 4.6 4.5 1.9-4.5 1.9 1.6 4.6-4.6-1.6-1.9 4.5-1.9-4.5-4.6 1.6'
    ' 1.6-4.6-4.5-1.9 4.5-1.9-1.6-4.6 4.6 1.6z"/></symbol>'
    '<symbol id="d-H" viewBox="0 0 24 24"><rect class="die" x="1" y="1" width="22" height="22" rx="4"/>'
    '<path class="pips" d="M6.5 6.5l11 11M17.5 6.5l-11 11"/></symbol>'
    '<symbol id="d-S" viewBox="0 0 24 24"><rect class="die" x="1" y="1" width="22" height="22" rx="4"/>'
    '<path class="shield" d="M6 6h12v6c0 4-3 6-6 7.5C9 18 6 16 6 12z"/></symbol>'
)
