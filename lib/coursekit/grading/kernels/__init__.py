"""Warm kernels: a server with the libraries imported forks a confined one per notebook."""
