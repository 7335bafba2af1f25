"""Floor 3: from the checked rules to readable Python source, and from that to native code."""
