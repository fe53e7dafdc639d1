"""The effect of disagreement: `study` is the kind, `assessors` reads other judgments, `regrading` draws them."""
