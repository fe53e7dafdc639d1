"""Rules of export, one function each: the judgments of a pair -> its grade. `definition` registers them."""
