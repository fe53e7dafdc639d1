"""Look after the file of a lab: `backup` copies it, `restore` puts a copy in place, `doctor` checks it."""
