"""What is said about each measure: `page` makes the page of a measure, `listing` lists all, `describe` gives
either to callers, `references` is the literature they cite."""
