"""Entry functions of the solve methods: each turns a `Problem` into a solution.

`methods.METHODS` names the entry function of each method; a module is imported when a method of
the module runs.
"""
