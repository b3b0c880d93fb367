"""A position as data to draw, events in a line, and marks on a board. Nothing is judged here."""
