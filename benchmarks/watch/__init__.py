"""A watch on speed: twenty small jobs, each beside a fixed piece of work in the same process."""
