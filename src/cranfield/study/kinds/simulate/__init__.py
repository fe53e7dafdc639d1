"""What would be true if everything were judged: `study` is the kind, `truth` compares with it."""
