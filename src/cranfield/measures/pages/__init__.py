"""What is said about each measure: `page` makes the page of a measure, `references` the literature it cites."""
