"""Other assessors, other judgments: `study` is the kind, `assessors` reads judgments, `regrading` draws others."""
