"""Definitions of FlashInfer-Trace and SOL-ExecBench: a JSON file, with the workloads of a JSONL file.

A definition has named axes, inputs, outputs, and a reference in PyTorch. Its workloads give the variable axes values
and say where inputs come from. Arrays made earlier, NAME.answers/UUID/TENSOR.npy beside the definition, replace both
the inputs and the reference, so that no PyTorch is needed. docs/cuda-day.md describes what is taken.
"""

import ast
import json
import operator
import signal
import struct

from cases import CODES, MOST_BYTES, refuse, size_of
from tensara import MOST_FLOPS, TooLarge, limit_time, listed, product

DEFAULT_TOLERANCE = 1e-2
ODD_SIZES = ((1,), (3, 5, 7, 11), (33, 17, 9, 5))  # of variable axes, in their order
N_HALVINGS = 24
MOST_WORKLOADS = 16
MOST_FREE_BYTES = 1 << 20  # of a case whose size can be chosen
SAFETENSORS_NAMES = {"F64": "float64", "F32": "float32", "F16": "float16", "BF16": "bfloat16", "I64": "int64",
                     "I32": "int32", "I16": "int16", "I8": "int8", "U8": "uint8", "BOOL": "bool"}
NPY_CODES = {"f2": "e", "f4": "f", "f8": "d", "i1": "b", "i2": "h", "i4": "i", "i8": "q", "u1": "B", "u2": "H",
             "u4": "I", "u8": "Q", "b1": "?"}
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
             ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow, ast.Eq: operator.eq,
             ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
             ast.GtE: operator.ge}


class Array:
    """An array of a file, as much of a tensor as write_case() needs."""

    def __init__(self, values, dtype, shape):
        self.values, self.dtype, self.shape = values, dtype, shape

    def numel(self):
        return len(self.values)

    def element_size(self):
        return 2 if self.dtype == "bfloat16" else struct.calcsize(CODES[self.dtype][1])

    def tolist(self):
        return self.values

    def clone(self):
        return Array(list(self.values), self.dtype, self.shape)

    def detach(self):
        return self

    cpu = contiguous = flatten = detach

    def copy_(self, other):
        self.values = list(other.values)


def evaluated(expression, axes):
    """Returns the value of an expression of axes: numbers, names, arithmetic and comparisons, nothing else."""

    def value(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return node.value
        if isinstance(node, ast.Name) and node.id in axes:
            return axes[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return -value(node.operand) if isinstance(node.op, ast.USub) else value(node.operand)
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            left, right = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow) and (abs(left) > 1 << 20 or not 0 <= right <= 3):
                refuse(f"the power in '{expression}' is too large")
            return OPERATORS[type(node.op)](left, right)
        if isinstance(node, ast.BoolOp):
            return (all if isinstance(node.op, ast.And) else any)(value(part) for part in node.values)
        if isinstance(node, ast.Compare) and all(type(op) in OPERATORS for op in node.ops):
            parts = [value(part) for part in [node.left, *node.comparators]]
            return all(OPERATORS[type(op)](a, b) for op, a, b in zip(node.ops, parts, parts[1:]))
        raise KeyError(ast.unparse(node))

    return value(ast.parse(expression, mode="eval").body)


def rounded_to_bfloat16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    if value == value:
        bits += 0x7FFF + (bits >> 16 & 1)
    return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]


def read_npy(path, dtype):
    """Returns the array of an .npy file as elements of this type; an array of bfloat16 is one of float32."""
    try:
        data = path.read_bytes()
    except OSError:
        refuse(f"cannot read {path}")
    if data[:6] != b"\x93NUMPY" or len(data) < 12:
        refuse(f"{path} is no .npy file")
    n_length = 2 if data[6] == 1 else 4
    begin = 8 + n_length
    end = begin + int.from_bytes(data[8:begin], "little")
    header = ast.literal_eval(data[begin:end].decode("latin1"))
    kind, shape = header["descr"][1:], list(header["shape"])
    if header["descr"][0] == ">" or kind not in NPY_CODES or (header["fortran_order"] and len(shape) > 1):
        refuse(f"{path} has elements of '{header['descr']}' or another order than C's")
    n = 1
    for extent in shape:
        n *= extent
    if len(data) - end != n * struct.calcsize("<" + NPY_CODES[kind]):
        refuse(f"{path} has {len(data) - end} bytes of elements, which its shape {shape} contradicts")
    values = list(struct.unpack(f"<{n}{NPY_CODES[kind]}", data[end:]))
    is_float = dtype.startswith(("float", "bfloat"))
    if is_float != (kind[0] == "f"):
        refuse(f"{path} has elements of {kind}, where {dtype} is expected")
    if dtype == "bfloat16":
        values = [rounded_to_bfloat16(value) for value in values]
    return Array(values, dtype, shape)


def flop_counter():
    """Returns PyTorch's class that counts operations of matrix products, or None."""
    try:
        from torch.utils.flop_counter import FlopCounterMode
    except ImportError:
        return None
    return FlopCounterMode


class Problem:
    """The workloads of a definition, as dictionaries with a value for each parameter of the function.

    These are the inputs, the outputs, and the axes that are not constant, in this order.
    """

    function = "run"

    def __init__(self, path, torch):
        self.path, self.torch = path, torch
        definition = self.definition = json.loads(path.read_text())
        self.name = definition["name"]
        self.inputs, self.outputs = definition["inputs"], definition["outputs"]
        self.axis_names = [name for name, axis in definition["axes"].items() if axis["type"] != "const"]
        self.variable = [name for name in self.axis_names if definition["axes"][name]["type"] == "var"]
        for name, tensor in {**self.inputs, **self.outputs}.items():
            if tensor["dtype"] not in CODES:
                refuse(f"'{name}' of {self.name} has elements of {tensor['dtype']}, which are not supported")
        names = [*self.inputs, *self.outputs, *self.axis_names]
        if twice := [name for name in names if names.count(name) > 1]:
            refuse(f"{self.name} has two parameters '{twice[0]}'")
        self.roles = {name: "in" for name in self.inputs}
        self.roles |= {name: "out" for name in self.outputs} | {name: "in" for name in self.axis_names}
        self.layout = {
            "axes": self.axis_names,
            "constants": {name: axis["value"] for name, axis in definition["axes"].items() if axis["type"] == "const"},
            "shapes": {name: tensor["shape"] for name, tensor in {**self.inputs, **self.outputs}.items()
                       if tensor["shape"] is not None},
            "types": {name: tensor["dtype"] for name, tensor in {**self.inputs, **self.outputs}.items()},
        }
        self.atol = self.rtol = DEFAULT_TOLERANCE
        self.tolerances, self.results = {}, {}  # of the last case
        self.answers = path.with_suffix(".answers")
        if torch is not None and not self.answers.is_dir():
            self.counter = flop_counter()
            self.code = {}
            exec(compile(definition["reference"], str(path), "exec"), self.code)
            if not callable(self.code.get("run")):
                refuse(f"the reference of {self.name} has no function run")

    # ---- workloads ----

    def workloads(self):
        """Returns the workloads of the file beside the definition, or of the folder `workloads` of its data set."""
        candidates = [self.path.with_name("workload.jsonl"), self.path.with_suffix(".jsonl")]
        for folder in self.path.parents:
            if folder.name == "definitions":
                below = self.path.relative_to(folder).with_suffix(".jsonl")
                candidates.append(folder.parent / "workloads" / below)
                break
        for candidate in candidates:
            if candidate.is_file():
                lines = [json.loads(line) for line in candidate.read_text().splitlines() if line.strip()]
                return [line.get("workload", line) for line in lines]
        refuse(f"{self.name} has no workloads: looked for {', '.join(map(str, candidates))}")

    def axes_of(self, variable):
        axes = dict(self.layout["constants"]) | {name: int(variable[name]) for name in self.variable}
        for name in self.axis_names:
            if name not in axes:
                axes[name] = int(evaluated(self.definition["axes"][name]["expression"], axes))
        return axes

    def are_allowed(self, variable):
        """Whether the axes meet the constraints. One about values of inputs says nothing about axes."""
        try:
            axes = self.axes_of(variable)
            if min(axes.values()) < 1:
                return False
            for constraint in self.definition.get("constraints") or []:
                try:
                    if not evaluated(constraint, axes):
                        return False
                except (KeyError, SyntaxError):
                    continue
        except (KeyError, ZeroDivisionError):
            return False
        return True

    def shape_of(self, name, axes):
        shape = {**self.inputs, **self.outputs}[name]["shape"]
        return [axes[extent] if isinstance(extent, str) else int(extent) for extent in shape]

    def bytes_at(self, variable):
        axes, total = self.axes_of(variable), 0
        for name, tensor in {**self.inputs, **self.outputs}.items():
            if tensor["shape"] is not None:
                size = 2 if tensor["dtype"] == "bfloat16" else struct.calcsize(CODES[tensor["dtype"]][1])
                total += product(self.shape_of(name, axes)) * size
        return total

    def smaller(self, variable):
        """Returns sizes like these, from large to small: all halved, then one at a time."""
        for step in range(N_HALVINGS):
            yield {name: max(1, value >> step) for name, value in variable.items()}
        for name, value in sorted(variable.items(), key=lambda entry: -entry[1]):
            for step in range(1, N_HALVINGS):
                yield dict(variable) | {name: max(1, value >> step)}

    def cases(self):
        if self.answers.is_dir():
            yield from self.cases_made_earlier()
            return
        workloads, tried = self.workloads()[:MOST_WORKLOADS], set()
        for workload in workloads:
            variable = {name: int(workload["axes"][name]) for name in self.variable}
            sizes = self.smaller(variable) if self.is_free(workload) else [variable]
            case = None
            for size in sizes:
                if (key := (workload["uuid"], *size.values())) in tried or not self.are_allowed(size):
                    continue
                tried.add(key)
                if case := self.tried(workload, size):
                    break
            yield case
        free = [workload for workload in workloads if self.is_free(workload)]
        for workload in free[:1]:
            for sizes in ODD_SIZES:
                variable = {name: sizes[i % len(sizes)] for i, name in enumerate(self.variable)}
                is_tried = bool(variable) and self.are_allowed(variable)
                if is_tried and (case := self.tried(workload, variable, is_optional=True)):
                    yield case
            for size in self.smaller({name: int(workload["axes"][name]) for name in self.variable}):
                if self.are_allowed(size) and (case := self.tried(workload, size, is_mixed=True)):
                    yield case
                    break

    def is_free(self, workload):
        """Whether its inputs are made for any size: those of files are not."""
        return all(source["type"] in ("random", "scalar") for source in workload["inputs"].values())

    def tried(self, workload, variable, is_optional=False, is_mixed=False):
        """Returns the case, or None if it is too large, or if it is optional and the reference does not take it."""
        if self.bytes_at(variable) > (MOST_FREE_BYTES if self.is_free(workload) and self.variable else MOST_BYTES):
            return None
        limit_time()
        try:
            return self.case(workload, self.axes_of(variable), is_mixed)
        except TooLarge:
            return None
        except Exception:  # the reference's own
            if not is_optional:
                raise
            return None
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    # ---- inputs ----

    def case(self, workload, axes, is_mixed):
        custom = self.custom_inputs(workload, axes)
        inputs = {name: self.input(name, workload, axes, custom, is_mixed) for name in self.inputs}
        results = self.reference(inputs)
        if not self.has_no_nan(results) and self.is_free(workload):  # the square root of a random variance
            inputs = {name: self.positive(value) for name, value in inputs.items()}
            results = self.reference(inputs)
        return self.completed(inputs, results, axes, workload)

    def custom_inputs(self, workload, axes):
        if all(source["type"] != "custom" for source in workload["inputs"].values()):
            return {}
        make = self.code.get(self.definition.get("custom_inputs_entrypoint") or "")
        if make is None:
            refuse(f"{self.name} has custom inputs, but no function that makes them")
        scalars = {name: source["value"] for name, source in workload["inputs"].items() if source["type"] == "scalar"}
        return make(axes | scalars, self.torch.device("cpu"))

    def input(self, name, workload, axes, custom, is_mixed):
        tensor, source = self.inputs[name], workload["inputs"].get(name, {"type": "random"})
        dtype = tensor["dtype"]
        if tensor["shape"] is None:
            if source["type"] != "scalar":
                refuse(f"'{name}' of {self.name} is a number, and workload {workload['uuid']} gives it no value")
            return float(source["value"]) if "float" in dtype else int(source["value"])
        shape = self.shape_of(name, axes)
        if source["type"] == "random":
            return self.random(shape, dtype, is_mixed)
        if source["type"] == "custom":
            if name not in custom:
                refuse(f"the function that makes custom inputs of {self.name} makes no '{name}'")
            value = custom[name].to(getattr(self.torch, dtype))
        elif source["type"] == "safetensors":
            value = self.tensor_in(source["path"], source["tensor_key"], dtype)
        else:
            refuse(f"'{name}' of workload {workload['uuid']} comes from '{source['type']}', which is unknown")
        if list(value.shape) != shape:
            refuse(f"'{name}' of workload {workload['uuid']} has shape {list(value.shape)} instead of {shape}")
        return value

    def random(self, shape, dtype, is_mixed):
        torch = self.torch
        if dtype == "bool":
            return torch.randint(0, 2, shape).to(torch.bool)
        if not dtype.startswith(("float", "bfloat")):
            high = 128 if dtype == "int8" else 1024
            return torch.randint(0 if dtype.startswith("uint") else -high, high, shape).to(getattr(torch, dtype))
        values = torch.randn(shape)
        if is_mixed:  # zeros, small ones and outliers, scattered and in runs
            factors = torch.tensor([1.0, 0.0, 0.125, 1.0, 0.015625, 4.0])
            values = values * factors[torch.randint(0, 6, shape)]
        return values.to(getattr(torch, dtype))

    def positive(self, value):
        is_float = hasattr(value, "is_floating_point") and value.is_floating_point()
        return (value.float().abs() + 0.125).to(value.dtype) if is_float else value

    def tensor_in(self, path, key, dtype):
        """Reads a tensor of a .safetensors file: a header in JSON after its length, then the elements."""
        places = [folder / path for folder in (self.path.parent, *self.path.parents)]
        parts = path.split("/")
        places += [self.path.parent / "/".join(parts[i:]) for i in range(1, len(parts))]
        file = next((place for place in places if place.is_file()), None)
        if file is None:
            refuse(f"there is no {path} in the folder of {self.path.name} or above")
        with open(file, "rb") as opened:
            header = json.loads(opened.read(int.from_bytes(opened.read(8), "little")))
            if key not in header:
                refuse(f"{file} has no tensor '{key}'")
            first, last = header[key]["data_offsets"]
            name = SAFETENSORS_NAMES.get(header[key]["dtype"])
            if name != dtype:
                refuse(f"'{key}' of {file} has elements of {header[key]['dtype']}, where {dtype} is expected")
            if last - first > MOST_BYTES:
                raise TooLarge
            opened.seek(first, 1)
            data = bytearray(opened.read(last - first))
        tensor_type = getattr(self.torch, dtype)
        made = self.torch.frombuffer(data, dtype=tensor_type) if data else self.torch.empty(0, dtype=tensor_type)
        return made.reshape(header[key]["shape"]).clone()

    # ---- answers ----

    def reference(self, inputs):
        copies = [value.clone() if hasattr(value, "clone") else value for value in inputs.values()]
        if self.counter is None:
            made = self.code["run"](*copies)
        else:
            with self.counter(display=False) as counted:
                made = self.code["run"](*copies)
            if counted.get_total_flops() > MOST_FLOPS:  # more than the executor checks in its time
                raise TooLarge
        if isinstance(made, dict):
            missing = [name for name in self.outputs if name not in made]
            made = [] if missing else [made[name] for name in self.outputs]
        made = listed(made)
        if len(made) != len(self.outputs):
            refuse(f"the reference of {self.name} returns {len(made)} results instead of {len(self.outputs)}")
        return dict(zip(self.outputs, made))

    def has_no_nan(self, results):
        return all(not result.is_floating_point() or bool((result == result).all()) for result in results.values())

    def completed(self, inputs, results, axes, workload):
        """Adds uninitialised outputs and the axes, and notes the answers and their tolerances."""
        case, self.results = dict(inputs), {}
        for name, tensor in self.outputs.items():
            shape, dtype = self.shape_of(name, axes), getattr(self.torch, tensor["dtype"])
            if product(list(results[name].shape)) != product(shape):
                refuse(f"the reference of {self.name} returns a '{name}' of {list(results[name].shape)}, not {shape}")
            self.results[name] = results[name].detach().to(dtype).reshape(shape)
            case[name] = self.torch.empty(shape, dtype=dtype)
            case[name].is_unset = True
        return self.with_tolerances(case | {name: axes[name] for name in self.axis_names}, workload)

    def with_tolerances(self, case, workload):
        given = workload.get("tolerance") or {}
        for name, result in self.results.items():
            values = [float(v) for v in result.flatten().tolist()]
            finite = [v * v for v in values if v - v == 0]
            # An absolute tolerance is meant for results around 1: zeros must not pass for small ones.
            scale = min(1.0, (sum(finite) / len(finite)) ** 0.5) if finite else 1.0
            atol = float(given.get("max_atol", given.get("atol", self.atol)))
            rtol = float(given.get("max_rtol", given.get("rtol", self.rtol)))
            self.tolerances[name] = {"atol": atol * scale, "rtol": rtol}
        return case

    def cases_made_earlier(self):
        found = 0
        for workload in self.workloads():
            folder = self.answers / workload["uuid"]
            if not folder.is_dir():
                continue
            found += 1
            axes = self.axes_of(workload["axes"])
            case, self.results = {}, {}
            for name, tensor in {**self.inputs, **self.outputs}.items():
                if tensor["shape"] is None:
                    value = workload["inputs"][name]["value"]
                    case[name] = float(value) if "float" in tensor["dtype"] else int(value)
                    continue
                array, shape = read_npy(folder / f"{name}.npy", tensor["dtype"]), self.shape_of(name, axes)
                if array.shape != shape:
                    refuse(f"{folder / name}.npy has shape {array.shape} instead of {shape}")
                if name in self.outputs:
                    self.results[name] = array
                    array = Array([0] * array.numel(), array.dtype, shape)
                    array.is_unset = True
                case[name] = array
            case |= {name: axes[name] for name in self.axis_names}
            yield self.with_tolerances(case, workload) if size_of(case) <= MOST_BYTES else None
        if not found:
            refuse(f"{self.answers} has no folder with the uuid of a workload of {self.name}")

    def solve(self, arguments):
        for name, result in self.results.items():
            arguments[name].copy_(result)
