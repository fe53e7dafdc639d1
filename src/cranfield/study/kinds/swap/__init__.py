"""How often another topic set would reverse the order: `study` is the kind, `swaps` counts."""
