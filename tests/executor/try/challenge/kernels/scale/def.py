import torch

from problem import Problem


class scale(Problem):
    is_exact = False
    parameters = [
        {"name": "x", "type": "float", "pointer": True, "const": True},
        {"name": "factor", "type": "float", "pointer": False, "const": False},
        {"name": "y", "type": "float", "pointer": True, "const": False},
        {"name": "n", "type": "size_t", "pointer": False, "const": False},
    ]

    def __init__(self):
        super().__init__(name="scale")

    def reference_solution(self, x, factor):
        return factor * x

    def of_size(self, n):
        generator = torch.Generator()
        generator.manual_seed(Problem.get_seed(f"scale {n}"))
        return {"n": n, "create_inputs": lambda: (torch.rand(n, dtype=self.param_dtype(0), generator=generator), 3.0)}

    def generate_sample(self):
        return {"n": 3, "create_inputs": lambda: (torch.tensor([1.0, -2.0, 0.5]), 2.0)}

    def generate_test_cases(self):
        return [self.of_size(1000), self.of_size(1 << 22)]

    def verify_result(self, expected, actual):
        return torch.allclose(actual, expected, rtol=1e-4, atol=1e-5), {}

    def get_extra_params(self, test):
        return [test["n"]]
