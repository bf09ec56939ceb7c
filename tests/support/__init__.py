"""What tests share: people who act, a simulated Discord, processes, crowds. Nothing in here is a test."""
