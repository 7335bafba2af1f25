"""Floor 8: answers to the requests of the playground page, in JSON.

`dispatch` receives a request and returns the answer; every kind of question has a file. The code
runs in a browser worker, without threads and without machine code, and knows nothing of pages.
"""
