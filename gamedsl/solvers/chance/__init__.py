"""Games with returning play, with chance or unopposed interests: values with proven bounds, or
equilibria."""
