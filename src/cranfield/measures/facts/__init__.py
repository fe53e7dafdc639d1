"""What a measure declares about itself beside its formula: which ranks it looks at, and how its bounds are found."""
