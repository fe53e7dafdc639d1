"""The sheets of a pool."""

from typing import TYPE_CHECKING

from cranfield.tables.sheets.blocks import TitledSheet
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.pooling.result import Pooled

CAVEATS = (
    "A pool favours the systems that built it. A document that none of them ranks this high will count as not",
    "relevant, so recall is not known, and a later system brings unjudged documents.",
)
ADAPTIVE = ("Chosen with the help of earlier judgments: estimators that need a random sample refuse this pool.",)


def line(pooled: "Pooled") -> str:
    """The pool in one line: runs, topics, depth, number of pairs, and short lists."""
    sizes = pooled.sizes
    low, high = (int(sizes.min()), int(sizes.max())) if len(sizes) else (0, 0)
    mean = len(pooled) / max(1, len(sizes))
    runs = len(pooled.candidates.runs)
    parts = [
        *([counted(runs, "run")] if runs else []),
        counted(len(pooled.topics), "topic"),
        _how(pooled),
        f"{counted(len(pooled), 'pair')} ({mean:,.1f} per topic, {low:,}…{high:,})",
    ]
    if pooled.candidates.short:
        parts.append(f"{pooled.candidates.short:,} runs×topics shorter than {pooled.depth:,}")
    if pooled.left_out:
        parts.append(f"{pooled.left_out:,} judged already, left out")
    if pooled.relevant is not None:
        parts.append(f"{pooled.relevant:,} relevant, {pooled.unknown:,} without judgment")
    return f"pool: {' · '.join(parts)}"


def _how(pooled: "Pooled") -> str:
    words = [f"depth {pooled.depth:,}"] if pooled.candidates.runs else []
    if pooled.sample is not None:
        words.insert(
            0, f"sample of {'best ranks ' if len(pooled.sample.strata) > 1 else ''}{', '.join(pooled.sample.strata)}"
        )
    elif pooled.strategy != "depth":
        words.insert(0, "the pairs of the qrels" if pooled.strategy == "qrels" else pooled.strategy)
    if pooled.budget is not None:
        words.append(f"at most {pooled.budget:,} per topic")
    return ", ".join(words)


def sheet(pooled: "Pooled") -> Sheet:
    """One row per run, or per group where groups were given: its pairs, and those it alone lists."""
    if not pooled.candidates.runs:
        return topic_sheet(pooled)
    found, noun = (pooled.contributions, "run") if pooled.groups is None else (pooled.groups, "group")
    total = max(1, len(pooled))
    columns = (
        Column(noun, found.names),
        Column("pairs", found.pairs, ","),
        Column("of the pool", found.pairs / total, ".1%"),
        Column("unique", found.unique, ","),
    )
    notes = (
        f"unique: listed by no other {noun} down to rank {pooled.depth:,} · {pooled.hours:,.1f} hours at 30 s a pair",
        *(ADAPTIVE if pooled.pairs.adaptive else CAVEATS),
        *([" · ".join(cleaning)] if (cleaning := pooled.audit.cleaning_notes()) else []),
        *pooled.audit.name_notes(),
    )
    return TitledSheet(columns, notes, label="tab:pool", title=line(pooled))


def topic_sheet(pooled: "Pooled") -> Sheet:
    """One row per topic: its pairs."""
    columns = (Column("topic", pooled.topics), Column("pairs", pooled.sizes, ","))
    return TitledSheet(columns, (), label="tab:pool-topics", title=line(pooled))


def overlap_sheet(pooled: "Pooled") -> Sheet:
    """One row and one column per run: the pairs that both list."""
    found = pooled.contributions
    columns = (
        Column("run", found.names),
        *(Column(n, c, ",") for n, c in zip(found.names, found.overlap.T, strict=True)),
    )
    return TitledSheet(columns, (), label="tab:pool-overlap", title="pairs of the pool that two runs both list")
