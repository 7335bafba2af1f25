"""Work that was kept in a file is held against what it can be, before kernels rely on it."""
