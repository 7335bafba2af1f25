"""Games with chance in which play can return: values between proven bounds."""
