"""Results by group of topics: means, intervals and tests in each group, and the mean of the groups.

Topics are grouped by what they are (short or long, head or tail), or by the collection they come from. Read
`topic_groups` first: which topic belongs to which group. `stratified` is the statistics of a mean of groups, `grouped`
the scores by group, `comparing` the tests. `collections` evaluates runs on several collections and groups by them.
"""
