"""Slash commands, one file per concern. Thin: they find out what is meant and hand over to views and services."""
