import ctypes

import torch
from core.challenge_base import ChallengeBase


class Challenge(ChallengeBase):
    name = "Scale and Count"
    atol = 1e-05
    rtol = 1e-05

    def reference_impl(self, x, y, n_positive, N, factor):
        y.values = [factor * value for value in x.values]
        n_positive.values = [n_positive.values[0] + sum(value > 0 for value in x.values)]

    def get_solve_signature(self):
        return {
            "x": (ctypes.POINTER(ctypes.c_float), "in"),
            "y": (ctypes.POINTER(ctypes.c_float), "out"),
            "n_positive": (ctypes.POINTER(ctypes.c_int), "inout"),
            "N": (ctypes.c_size_t, "in"),
            "factor": (ctypes.c_float, "in"),
        }

    def case(self, n, factor):
        return {
            "x": torch.tensor([0.5 * i - 3 for i in range(n)], device=self.device),
            "y": torch.empty(n, device=self.device),
            "n_positive": torch.tensor([7], dtype=torch.int32),
            "N": n,
            "factor": factor,
        }

    def generate_example_test(self):
        return self.case(4, 2.0)

    def generate_functional_test(self):
        return [self.case(1, 0.5), self.case(1000, -3.0), self.case(1 << 22, 1.0)]
