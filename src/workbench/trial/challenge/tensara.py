"""Problems of Tensara: def.py with a subclass of `Problem`, whose tests are meant for a GPU.

Its tensors are made on the CPU instead, and with other random numbers than on the site. As most tests are too large for
the executor, the sample is tried with other values, too, and the tests with smaller sizes.
"""

import ast
import inspect
import secrets
import signal
import sys
import types

from cases import MOST_BYTES, is_tensor, refuse

DTYPES = {"float": "float32", "double": "float64", "float16": "float16", "int": "int32", "size_t": "int64",
          "uint8_t": "uint8", "uint32_t": "int32", "uint64_t": "int64"}
N_VARIATIONS = 3
MOST_KEPT = 64  # numbers up to here are no sizes to make smaller: those of kernels, strides, dimensions
N_SMALLER = 3
SMALL_BYTES = 256 << 10
MOST_FLOPS = 1e8  # of a test
MOST_SECONDS = 10  # of a reference, which is faster than the executor


class TooLarge(Exception):
    pass


def base_module(torch):
    """Returns a module `problem` with the base class, as the site's own is not part of its problems."""

    class Problem:
        parameters = None

        def __init__(self, name, *_, **__):
            self.name = name

        def param_dtype(self, key):
            names = [parameter["name"] for parameter in self.parameters]
            found = self.parameters[key if isinstance(key, int) else names.index(key)]
            if found["type"] not in DTYPES:
                refuse(f"arrays of {found['type']} are not supported")
            return getattr(torch, DTYPES[found["type"]])

        def get_extra_params(self, test):
            return []

        def get_flops(self, test):
            return None

        @staticmethod
        def get_seed(text):
            return secrets.randbits(31)

    module = types.ModuleType("problem")
    module.Problem = Problem
    return module


def stay_on_the_cpu(torch):
    """Makes tensors and generators that are asked for on a GPU on the CPU, and refuses large ones."""
    from torch.overrides import TorchFunctionMode

    class OnTheCpu(TorchFunctionMode):
        def __torch_function__(self, function, _, arguments=(), keywords=None):
            keywords = dict(keywords or {})
            if str(keywords.get("device", "")).startswith("cuda"):
                keywords["device"] = "cpu"
            if function is torch.Tensor.cuda:
                return arguments[0]
            if function is torch.Tensor.to:
                arguments = tuple("cpu" if str(a).startswith("cuda") else a for a in arguments)
            if getattr(function, "__name__", "") in ("rand", "randn", "randint", "zeros", "ones", "empty", "full"):
                if product(sizes_in(arguments, keywords)) > MOST_BYTES:
                    raise TooLarge
            return function(*arguments, **keywords)

    generator = torch.Generator
    torch.Generator = lambda *_, **__: generator()
    OnTheCpu().__enter__()


def sizes_in(arguments, keywords):
    """Returns the sizes in the arguments of a function that makes a tensor: rand(2, 3), or randint(0, 9, (2, 3))."""
    if "size" in keywords:
        return listed(keywords["size"])
    for argument in arguments:
        if isinstance(argument, (tuple, list)):
            return argument
    return [argument for argument in arguments if isinstance(argument, int)]


def product(sizes):
    total = 1
    for size in sizes:
        total *= max(int(size), 1)
    return total


def limit_time():
    """Raises TooLarge in whatever Python code has used this much processor time since the last call."""

    def stop(*_):
        raise TooLarge

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)


class SmallerSizes(ast.NodeTransformer):
    """Replaces the large numbers in the tests by smaller ones, equal ones by equal ones.

    Odd sizes show more mistakes, but some problems need multiples: `step` is 1 or a power of two.
    """

    def __init__(self, size, step):
        self.size, self.step, self.sizes = size, step, {}

    def visit_FunctionDef(self, function):
        return self.generic_visit(function) if function.name == "generate_test_cases" else function

    def visit_Constant(self, constant):
        if type(constant.value) is not int or constant.value <= MOST_KEPT:
            return constant
        place = self.sizes.setdefault(constant.value, len(self.sizes))
        value = self.size * self.step + place * self.step * (2 if self.step == 1 else 1)
        return ast.copy_location(ast.Constant(value), constant)


def load(path, torch, smaller=None):
    sys.modules["problem"] = base = base_module(torch)
    tree = ast.parse(path.read_text(), str(path))
    if smaller is not None:
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                smaller.generic_visit(node)
    module = types.ModuleType("definition")
    exec(compile(tree, str(path), "exec"), vars(module))
    classes = [value for value in vars(module).values() if inspect.isclass(value) and value is not base.Problem]
    problems = [value for value in classes if issubclass(value, base.Problem)]
    if not problems:
        refuse(f"{path} has no subclass of Problem")
    problem = problems[-1]()
    if not problem.parameters:
        refuse(f"{path} does not list its parameters")
    return problem


def listed(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


class Problem:
    """The tests of a problem, as dictionaries with a value for each parameter of `solution`.

    These are the inputs of the reference, its results, and the sizes, in this order.
    """

    function = "solution"

    def __init__(self, path, torch):
        self.torch = torch
        self.problem = load(path, torch)
        stay_on_the_cpu(torch)
        self.path, self.name = path, self.problem.name
        self.names = [p["name"] for p in self.problem.parameters]
        is_output = {p["name"]: bool(p["pointer"]) and not p["const"] for p in self.problem.parameters}
        self.roles = {name: "out" if is_output[name] else "in" for name in self.names}
        self.results = {}  # of the last case
        self.atol = self.rtol = None

    def tests(self, make):
        made = make(self.torch.float32) if "dtype" in inspect.signature(make).parameters else make()
        return listed(made)

    def cases(self):
        for test in self.tests(self.problem.generate_sample):
            inputs = listed(test["create_inputs"]())
            yield self.case(test, inputs)
            for _ in range(N_VARIATIONS):
                yield self.case(test, [self.varied(value) for value in inputs])
        for test in self.tests(self.problem.generate_test_cases):
            try:
                limit_time()
                if (self.problem.get_flops(test) or 0) > MOST_FLOPS:
                    raise TooLarge
                case = self.case(test, listed(test["create_inputs"]()))
            except TooLarge:
                case = None
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            yield case
        yield from self.smaller_cases()

    def smaller_cases(self):
        """Makes the first tests with the largest sizes that the executor takes, odd ones if the problem allows them."""
        for step, sizes in ((1, (5003, 515, 129, 67, 35, 17, 9)), (32, (128, 16, 4, 2, 1)), (8, (2, 1))):
            for size in sizes:
                cases = self.cases_of_size(SmallerSizes(size, step))
                for case, self.results in cases:
                    yield case
                if cases:
                    return

    def cases_of_size(self, smaller):
        """Returns cases with their results: none if they are too large, or the problem does not allow such sizes."""
        cases = []
        try:
            problem = load(self.path, self.torch, smaller)
            for test in self.tests(problem.generate_test_cases)[:N_SMALLER]:
                limit_time()
                try:
                    cases.append((self.case(test, listed(test["create_inputs"]()), SMALL_BYTES), self.results))
                except TooLarge:
                    continue
        except Exception:  # the problem's own
            return []
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return cases

    def varied(self, value):
        """Returns other numbers between the least and the greatest; integers may be indices and stay."""
        if not is_tensor(value) or not value.is_floating_point() or value.numel() == 0:
            return value
        low, high = value.min(), value.max()
        return low + (high - low) * self.torch.rand(value.shape).to(value.dtype)

    def case(self, test, inputs, most_bytes=MOST_BYTES):
        if sum(i.numel() * i.element_size() for i in inputs if is_tensor(i)) > most_bytes:
            raise TooLarge
        self.results = {}
        results = [r.detach() for r in listed(self.problem.reference_solution(*[self.copy(i) for i in inputs]))]
        extra = listed(self.problem.get_extra_params(test))
        if any(is_tensor(value) for value in extra):
            refuse(f"{self.path} has parameters in host memory, which are not supported")
        values = inputs + results + extra
        if len(values) != len(self.names):
            refuse(f"{self.path} has {len(self.names)} parameters, and a test {len(values)} values")
        self.read_tolerance(results)
        case = dict(zip(self.names, values))
        for name, result in zip(self.names[len(inputs) :], results):
            if self.roles[name] != "out":
                refuse(f"the parameter '{name}' of {self.path} is a result of its reference, and const")
            case[name] = self.torch.empty_like(result)
            case[name].is_unset = True
            self.results[name] = result
        return case

    def copy(self, value):
        return value.clone() if is_tensor(value) else value

    def read_tolerance(self, results):
        """Takes the tolerance from the comparison that the problem makes; without one, results must be equal."""
        if self.atol is not None:
            return
        seen, compare = [], self.torch.allclose

        def note(a, b, rtol=1e-05, atol=1e-08, **keywords):
            seen.append((rtol, atol))
            return compare(a, b, rtol=rtol, atol=atol, **keywords)

        self.torch.allclose = note
        try:
            expected, actual = tuple(results), tuple(result.clone() for result in results)
            self.problem.verify_result(*((expected, actual) if len(results) > 1 else (expected[0], actual[0])))
        finally:
            self.torch.allclose = compare
        is_exact = getattr(self.problem, "is_exact", False) or not any(r.is_floating_point() for r in results)
        if not seen and not is_exact:
            refuse(f"{self.path} does not compare its results with torch.allclose, so their tolerance is unknown")
        self.rtol, self.atol = seen[0] if seen else (0.0, 0.0)

    def solve(self, arguments):
        for name, result in self.results.items():
            arguments[name].copy_(result)
