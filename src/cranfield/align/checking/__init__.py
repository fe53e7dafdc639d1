"""What is wrong with files: `check` is public, `inspect` looks at one table, `crosscheck` at several together."""
