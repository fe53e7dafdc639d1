"""Results for other programs and other people: test reports, job summaries."""
