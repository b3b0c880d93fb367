"""Calixtus' Edition: a miniatures game measured in inches."""
