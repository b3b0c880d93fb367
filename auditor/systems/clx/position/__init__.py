"""What is on the table, what is known of assaults, and what the record says later of where units go on from."""
