"""The REST routes, one file an area."""
