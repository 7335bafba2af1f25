"""Many plays side by side, for learners: one call steps all."""
