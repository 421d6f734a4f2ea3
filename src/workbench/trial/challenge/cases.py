"""Writes the cases of a problem and the answers of its reference, for `rafter try` and `rafter judge`.

Called with the file of a problem and an empty folder. The arrays become files of plain bytes, and everything else
cases.json. Needs PyTorch, which the references are written in. A module for each collection of problems reads its form:
leetgpu (challenge.py), tensara (def.py), and definition (JSON of FlashInfer-Trace and SOL-ExecBench).
"""

import json
import pathlib
import secrets
import struct
import sys

MOST_BYTES = 8 << 20  # of a case: the executor checks every access

CODES = {  # of struct, by the name of an element type
    "float16": ("f16", "e"),
    "float32": ("f32", "f"),
    "float64": ("f64", "d"),
    "bfloat16": ("bf16", None),
    "int8": ("i8", "b"),
    "int16": ("i16", "h"),
    "int32": ("i32", "i"),
    "int64": ("i64", "q"),
    "uint8": ("u8", "B"),
    "uint16": ("u16", "H"),
    "uint32": ("u32", "I"),
    "uint64": ("u64", "Q"),
    "bool": ("u8", "?"),
}


def refuse(sentence):
    sys.exit(f"rafter: {sentence}")


def type_of(tensor):
    name = str(tensor.dtype).removeprefix("torch.")
    if name not in CODES:
        refuse(f"arrays of {name} are not supported")
    return name


def bytes_of(tensor):
    """Returns the elements in C order."""
    name = type_of(tensor)
    values = tensor.detach().cpu().contiguous().flatten()
    if name == "bfloat16":  # the upper half of a float32, exactly
        whole, half = struct.pack(f"<{values.numel()}f", *values.tolist()), bytearray(2 * values.numel())
        half[0::2], half[1::2] = whole[2::4], whole[3::4]
        return bytes(half)
    return struct.pack(f"<{values.numel()}{CODES[name][1]}", *values.tolist())


def is_tensor(value):
    return hasattr(value, "dtype") and hasattr(value, "numel")


def size_of(case):
    return sum(value.numel() * value.element_size() for value in case.values() if is_tensor(value))


def write_case(case, place, problem, folder):
    """Writes the arrays before and after the reference, and returns the description of the case."""
    described = {"scalars": {}, "arrays": {}}
    before = {name: bytes_of(value) for name, value in case.items() if is_tensor(value)}
    unset = {name for name, value in case.items() if getattr(value, "is_unset", False)}
    arguments = {name: value.clone() if is_tensor(value) else value for name, value in case.items()}
    problem.solve(arguments)
    for name, role in problem.roles.items():
        value = case[name]
        if not is_tensor(value):
            if not isinstance(value, (int, float)):
                refuse(f"the argument '{name}' is a {type(value).__name__}: only arrays and numbers are supported")
            described["scalars"][name] = float(value) if isinstance(value, float) else int(value)
            continue
        array = {
            "type": CODES[type_of(value)][0],
            "shape": list(value.shape),
            "file": f"{place}_{name}.bin",
            "is_unset": role == "out" and name in unset,
        }
        (folder / array["file"]).write_bytes(before[name])
        if role != "in":
            array["answer"] = f"{place}_{name}_answer.bin"
            (folder / array["answer"]).write_bytes(bytes_of(arguments[name]))
            array |= getattr(problem, "tolerances", {}).get(name, {})
        described["arrays"][name] = array
    return described


def read_problem(path):
    import definition
    import leetgpu
    import tensara

    has_answers = path.suffix == ".json" and path.with_suffix(".answers").is_dir()
    try:
        import torch

        torch.manual_seed(secrets.randbits(32))
    except ImportError:
        if not has_answers:
            refuse(f"the reference of {path} needs PyTorch, and {sys.executable} has none")
        torch = None
    form = definition if path.suffix == ".json" else tensara if path.name == "def.py" else leetgpu
    return form.Problem(path, torch)


def main(path, folder):
    problem = read_problem(path)
    cases, n_left_out = [], 0
    for case in problem.cases():
        if case is None or size_of(case) > MOST_BYTES:
            n_left_out += 1
            continue
        if missing := [name for name in problem.roles if name not in case]:
            refuse(f"a test of {path} has no value for {missing[0]}")
        cases.append(write_case(case, len(cases), problem, folder))
    if not cases:
        refuse(f"{path} has no test of at most {MOST_BYTES >> 20} MiB")
    about = {
        "name": problem.name,
        "function": problem.function,
        "atol": problem.atol,
        "rtol": problem.rtol,
        "parameters": [{"name": name, "role": role} for name, role in problem.roles.items()],
        "cases": cases,
        "left_out": n_left_out,
        "layout": getattr(problem, "layout", None),
    }
    (folder / "cases.json").write_text(json.dumps(about))


if __name__ == "__main__":
    sys.modules["cases"] = sys.modules["__main__"]
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
