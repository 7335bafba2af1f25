"""Games in which play can return, with chance or without opposed interests: values between proven
bounds, or equilibria."""
