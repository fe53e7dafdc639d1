"""The sections of a report, one module each; begin with `scores`. A section registers itself with `@section`."""
