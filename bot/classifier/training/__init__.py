"""Making and measuring a model; needs the `evaluate` extra, its encoder the `train` extra."""
