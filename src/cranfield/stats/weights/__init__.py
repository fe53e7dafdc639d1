"""Weights of topics: `reading` takes them from files, `weighted` puts them into scores, `weighted_mean` is the mean."""
