"""Find mistakes in files: `check` is public, `inspect` checks one table, `crosscheck` compares several."""
