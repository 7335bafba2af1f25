"""The language server: the services, offered over the Language Server Protocol."""
