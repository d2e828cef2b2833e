"""Fanguard: watches fan channels for hostility toward the people discussed."""

__version__ = "0.1.0"
