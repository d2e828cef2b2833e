"""Where messages come from besides Discord: chat exports and the bundled demo chat."""
