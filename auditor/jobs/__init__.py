"""Background audits: a loop that claims work, and children in which hostile logs do no harm."""
