"""Which documents to judge: pools by depth, by fused rank, by sampling, or by what earlier judgments said."""
