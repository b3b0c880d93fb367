"""Tables, migrations and the archive of uploads."""
