"""From typed rules to the intermediate representation; `game` puts the parts together."""
