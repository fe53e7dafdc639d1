"""How far assessors agree: labels, the tables they make, coefficients on them, and what it means for the systems."""
