"""Writes the cases of a LeetGPU challenge, and the answers of its reference, for `rafter try` and `rafter judge`.

Called with the path of a challenge.py and an empty folder. The arrays become files of plain bytes, and everything else
cases.json. Needs PyTorch, which the references are written in.
"""

import importlib.util
import json
import pathlib
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


def load(path):
    """Returns the challenge. Its base class is in a folder above it, core/challenge_base.py."""
    for folder in path.parents:
        if (folder / "core" / "challenge_base.py").is_file():
            sys.path.insert(0, str(folder))
            break
    else:
        refuse(f"there is no core/challenge_base.py in a folder above {path}: is it in a checkout of the challenges?")
    spec = importlib.util.spec_from_file_location("challenge", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        return module.Challenge(device="cpu")
    except TypeError:
        return module.Challenge()


def mark_unset_tensors(torch):
    """Makes tensors of torch.empty() known as such: a kernel must not read them before it has written them."""
    for name in ("empty", "empty_like"):
        make = getattr(torch, name, None)
        if make is None:
            continue

        def marked(*args, make=make, **keywords):
            tensor = make(*args, **keywords)
            tensor.is_unset = True
            return tensor

        setattr(torch, name, marked)


def materialised(value, torch):
    """Turns a description of a tensor, such as RandTensor, into the tensor."""
    kind = type(value).__name__
    if kind not in ("RandTensor", "RandnTensor", "RandIntTensor", "FullTensor", "OutTensor"):
        return value
    dtype = getattr(torch, value.dtype)
    if kind == "RandTensor":
        return (torch.rand(value.shape) * (value.high - value.low) + value.low).to(dtype)
    if kind == "RandnTensor":
        return (torch.randn(value.shape) * value.std + value.mean).to(dtype)
    if kind == "RandIntTensor":
        return torch.randint(int(value.low), int(value.high), value.shape).to(dtype)
    if kind == "FullTensor":
        return torch.full(value.shape, value.value, dtype=dtype)
    return torch.empty(value.shape, dtype=dtype)


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
        return b"".join(struct.pack("<f", value)[2:] for value in values.tolist())
    return struct.pack(f"<{values.numel()}{CODES[name][1]}", *values.tolist())


def is_tensor(value):
    return hasattr(value, "dtype") and hasattr(value, "numel")


def size_of(case):
    return sum(value.numel() * value.element_size() for value in case.values() if is_tensor(value))


def write_case(case, place, challenge, roles, folder):
    """Writes the arrays before and after the reference, and returns the description of the case."""
    described = {"scalars": {}, "arrays": {}}
    before = {name: bytes_of(value) for name, value in case.items() if is_tensor(value)}
    unset = {name for name, value in case.items() if getattr(value, "is_unset", False)}
    arguments = {name: value.clone() if is_tensor(value) else value for name, value in case.items()}
    challenge.reference_impl(**arguments)
    for name, role in roles.items():
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
        described["arrays"][name] = array
    return described


def main(path, folder):
    try:
        import torch
    except ImportError:
        refuse(f"the reference of {path} needs PyTorch, and {sys.executable} has none")
    torch.manual_seed(int.from_bytes(pathlib.Path("/dev/urandom").open("rb").read(4), "little"))
    challenge = load(path)
    mark_unset_tensors(torch)
    roles = {name: entry[1] for name, entry in challenge.get_solve_signature().items()}
    example = challenge.generate_example_test()
    tests = (example if isinstance(example, list) else [example]) + list(challenge.generate_functional_test())
    cases, n_left_out = [], 0
    for test in tests:
        case = {name: materialised(value, torch) for name, value in test.items()}
        if missing := [name for name in roles if name not in case]:
            refuse(f"a test of {path} has no value for {missing[0]}")
        if size_of(case) > MOST_BYTES:
            n_left_out += 1
            continue
        cases.append(write_case(case, len(cases), challenge, roles, folder))
    if not cases:
        refuse(f"{path} has no test of at most {MOST_BYTES >> 20} MiB")
    about = {
        "name": challenge.name,
        "atol": challenge.atol,
        "rtol": challenge.rtol,
        "parameters": [{"name": name, "role": role} for name, role in roles.items()],
        "cases": cases,
        "left_out": n_left_out,
    }
    (folder / "cases.json").write_text(json.dumps(about))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]))
