"""Tests of the Python package. Those that need PyTorch or ASE are skipped where these are not installed."""
import numpy as np
import pytest


@pytest.fixture
def random():
    return np.random.default_rng(20260101)
