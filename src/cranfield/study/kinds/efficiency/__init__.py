"""What effectiveness costs: `study` is the kind, `costs` reads latencies."""
