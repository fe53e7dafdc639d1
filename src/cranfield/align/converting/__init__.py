"""Rewrite tables: `convert` is public, `merge` joins several tables, `mapping` renames topics and documents."""
