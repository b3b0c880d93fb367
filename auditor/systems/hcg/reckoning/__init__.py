"""What the rules make of an event, for the rules to compare and for adopt to go on with. Nothing here accuses."""
