"""Code that tests share: actions of people, a simulated Discord, processes, crowds. Nothing in here is a test."""
