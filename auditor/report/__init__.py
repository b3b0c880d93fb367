"""From an audit to pages, drawings and files that people read."""
