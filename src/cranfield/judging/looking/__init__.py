"""What owners and viewers look at: runs compared on the judgments of a lab, and one topic under the microscope.

`comparison` makes the records of the page that compares runs (`topic_deltas` those of its topics), `agreed` those of
agreement, `microscope` those of one topic; `scales` places numbers in pictures. Everything here takes judgments and
runs, and knows neither store nor pages.
"""
