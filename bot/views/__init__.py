"""Answers to one person: controls, and functions that ask the services and compose the answer."""
