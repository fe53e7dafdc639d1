"""Several systems on the same topics: tests of all at once, and which pairs differ.

`complete_blocks` drops topics without a score for every system. `omnibus` lists the tests of all systems (`anova`,
`friedman`), `posthoc` the procedures for all pairs (`tukey`, `tukey_randomized`, and two in `friedman`).

Read `omnibus` first, then `anova`.
"""
