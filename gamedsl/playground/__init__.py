"""Floor 8: what the page of the playground asks, answered in JSON.

A request in, an answer out (`desk`); there is a file for each kind of question. It runs in a worker
of a browser, without threads and without machine code, and knows nothing of pages.
"""
