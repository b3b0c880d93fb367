"""The Flask application: a blueprint per subject."""
