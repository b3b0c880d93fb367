"""From bytes to a decoded record; what is readable is audited, the rest becomes located errors and holes."""
