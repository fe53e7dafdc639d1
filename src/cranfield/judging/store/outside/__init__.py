"""What leaves a lab and comes back: everything that an export tells, and ids of requests for outside labellers."""
