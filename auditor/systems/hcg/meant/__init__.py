"""What a line probably meant where it cannot have been played as it is written: one module for each kind of line."""
