"""Training and measuring: needs the `train` extra; the bot itself never imports it."""
