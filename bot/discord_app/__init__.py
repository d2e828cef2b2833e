"""The live bot: everything that speaks with Discord, and the only place that imports it."""
