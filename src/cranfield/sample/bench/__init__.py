"""The benchmark: generated data, whole processes side by side, equal numbers first, then ratios. Begin with `parts`.

shapes      how much data                     lists       the rankings and judgments of a shape
files       written once, reused              contenders  who takes part, and the programs they run
launcher    a process and what it cost        agreement   whether two programs print the same numbers
parts       what is measured                  results     medians, ratios, tables
goals       what should be reached            page        tables and chart in the documentation
"""
