"""ckpt-advisor: five questions about a job's checkpoints, configuration ahead of hardware."""

__version__ = "0.1.0"
