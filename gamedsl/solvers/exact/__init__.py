"""Whole graphs solved from their endings back, every state exactly; and what the values say."""
