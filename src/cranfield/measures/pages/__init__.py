"""The pages of the measures: `page` makes the page of a measure, `listing` lists all, `describe` gives
either to callers, `references` is the literature they cite."""
