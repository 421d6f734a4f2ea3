"""The package itself: what importing it does, its stub, its files."""
import ast
import inspect
import pathlib
import subprocess
import sys

import rafter
from rafter import _core

PACKAGE = pathlib.Path(rafter.__file__).parent


def test_importing_loads_neither_torch_nor_numpy_nor_cuda():
    code = ("import sys, rafter; print([m for m in ('torch', 'numpy', 'ase', 'pandas') if m in sys.modules]);"
            "print([line.split()[-1] for line in open('/proc/self/maps')"
            " if 'libcuda' in line or 'rafter_simt' in line])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd="/", env={"PYTHONPATH": str(PACKAGE.parent)})
    assert done.stdout == "[]\n[]\n"


def test_the_extension_exports_its_entry_point_only():
    done = subprocess.run(["nm", "--dynamic", "--defined-only", _core.__file__], capture_output=True, text=True, check=True)
    assert [line.split()[-1] for line in done.stdout.splitlines()] == ["PyInit__core"]


def test_the_extension_links_no_openmp():
    done = subprocess.run(["readelf", "-d", _core.__file__], capture_output=True, text=True, check=True)
    assert "libgomp" not in done.stdout and "libcudart" not in done.stdout


def _stub():
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    functions, classes = {}, {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            classes[node.name] = {item.name: item for item in node.body if isinstance(item, ast.FunctionDef)}
    return functions, classes


def _parameters(node):
    names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return [name for name in names if name != "self"]


def _real_parameters(function):
    head = function.__doc__.splitlines()[0]
    inside = ast.parse(f"def f{head[head.index('('):]}: ...".replace("\\", "")).body[0]
    return _parameters(inside)


def test_the_stub_names_every_function_and_parameter():
    functions, classes = _stub()
    public = {name: value for name, value in vars(_core).items() if not name.startswith("_")}
    assert set(functions) | set(classes) == set(public)
    for name, node in functions.items():
        assert _parameters(node) == _real_parameters(public[name]), name
    for name, members in classes.items():
        if name == "Error":
            continue
        real = {member for member in vars(public[name]) if not member.startswith("_")}
        assert {member for member in members if not member.startswith("_")} == real, name
        for member in real:
            if not isinstance(inspect.getattr_static(public[name], member), property):
                assert _parameters(members[member]) == _real_parameters(getattr(public[name], member)), member


def test_every_public_name_has_a_comment_and_exists():
    for name in rafter.__all__:
        assert inspect.getdoc(getattr(rafter, name)), name


def test_the_version_is_the_librarys():
    assert rafter.__version__ == _core.version()
    assert rafter.run("--version").split()[1].rstrip(",") == rafter.__version__
