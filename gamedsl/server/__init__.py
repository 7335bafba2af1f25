"""The language server: what services answer, in the words of the Language Server Protocol."""
