"""What papers print: numbers with the table or figure they stand in, one module for each source, and nothing else."""
