"""What is checked of typed bodies and of whole games. Diagnostics come out, nothing else."""
