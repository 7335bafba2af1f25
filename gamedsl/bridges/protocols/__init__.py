"""Line protocols by which programs play each other: JSON lines, UCI and GTP."""
