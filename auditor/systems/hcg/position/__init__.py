"""What is on the table: the position, what was kept of it, plays that are going on, and what the record says later."""
