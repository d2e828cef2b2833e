"""Training and measuring: needs the `evaluate` extra (its encoder: `train`); the bot itself never imports it."""
