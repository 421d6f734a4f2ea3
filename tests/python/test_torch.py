"""Tensors of PyTorch in place, and the registered operators: opcheck, gradients, torch.compile."""
import pytest

torch = pytest.importorskip("torch")

import rafter
import rafter.torch as ops

SUM, ROWS, SCANS = torch.ops.rafter.sum, torch.ops.rafter.row_sums, (torch.ops.rafter.inclusive_sum,
                                                                     torch.ops.rafter.exclusive_sum)
KEYS = torch.tensor([2, 0, 2, 1, 9, 0, -1, 2])  # two are out of range


def values(*shape, dtype=torch.float64, **options):
    generator = torch.Generator().manual_seed(7)
    return torch.randn(*shape, dtype=dtype, generator=generator).requires_grad_(options.get("grad", True))


def check_gradient(function, *inputs, **options):
    assert torch.autograd.gradcheck(function, inputs, **options)


OPERATORS = [
    (SUM, lambda: (values(30),)),
    (ROWS, lambda: (values(5, 7),)),
    (SCANS[0], lambda: (values(30),)),
    (SCANS[1], lambda: (values(30),)),
    (torch.ops.rafter.mul_add, lambda: (values(9), values(9) + 1, values(9) + 2)),
    (torch.ops.rafter.transpose, lambda: (values(5, 7),)),
    (torch.ops.rafter.gather, lambda: (values(10), torch.tensor([[3, 3], [9, 0]]), "raise")),
    (torch.ops.rafter.gather, lambda: (values(10), torch.tensor([3, -2, 12]), "clamp")),
    (torch.ops.rafter.gather, lambda: (values(10), torch.tensor([3, -2, 12]), "zero")),
    *((torch.ops.rafter.scatter, lambda reduction=reduction: (KEYS, values(8), 3, reduction, False))
      for reduction in ("sum", "mean", "min", "max")),
]


@pytest.mark.parametrize("operator, inputs", OPERATORS, ids=lambda value: getattr(value, "_qualified_op_name", ""))
def test_operators_pass_opcheck_and_gradcheck(operator, inputs):
    torch.library.opcheck(operator, inputs())
    check_gradient(lambda *given: operator(*given)[0] if operator is torch.ops.rafter.scatter else operator(*given),
                   *inputs())


@pytest.mark.parametrize("padding", [(0, 0), (1, 2), (3, 0)])
def test_the_gradients_of_a_convolution_are_those_of_torch(padding):
    def inputs():
        return values(2, 3, 8, 9, dtype=torch.float32), values(4, 3, 3, 2, dtype=torch.float32), values(
            4, dtype=torch.float32)

    torch.library.opcheck(torch.ops.rafter.conv, (*inputs(), *padding))
    ours, theirs = inputs(), inputs()
    out, expected = ops.conv(*ours, padding), torch.nn.functional.conv2d(*theirs, padding=padding)
    torch.testing.assert_close(out, expected, rtol=1e-5, atol=1e-5)
    weights = torch.cos(torch.arange(out.numel())).reshape(out.shape)
    (out * weights).sum().backward()
    (expected * weights).sum().backward()
    for one, other in zip(ours, theirs):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-4, atol=1e-4)


def test_tensors_are_used_in_place_and_results_are_tensors():
    x = torch.arange(12.0)
    out = torch.empty(12)
    assert rafter.mul_add(x, x, x, out=out) is out and torch.equal(out, x * x + x)
    assert torch.equal(rafter.filter(x, ">", 5), x[x > 5]) and rafter.sum(x).shape == ()
    assert rafter.convert(x, torch.bfloat16).dtype == torch.bfloat16
    assert rafter.sum(torch.ones(5, dtype=torch.bfloat16)).item() == 5
    assert torch.equal(rafter.transpose(x.reshape(3, 4)), x.reshape(3, 4).t())
    assert torch.equal(rafter.gather(x, torch.tensor([1, 2])), x[1:3])


@pytest.mark.parametrize("call, error, message", [
    (lambda x: rafter.sum(x.requires_grad_()), ValueError, r"x requires gradients.*rafter\.torch\.sum.*x\.detach"),
    (lambda x: rafter.sum(x.to(torch.complex64)), TypeError, "x should be float32.*, is complex64"),
    (lambda x: rafter.sum(x[::2]), ValueError, "x should be contiguous"),
    (lambda x: rafter.sum(x.to("meta")), (ValueError, TypeError), "x"),
    (lambda x: rafter.sum(x.to_sparse()), ValueError, "x cannot be used in place"),
    (lambda x: ops.filter(x.requires_grad_(), ">", 0), ValueError, "not differentiable"),
    (lambda x: ops.scatter(KEYS, x, 4, "median"), ValueError, "reduction should be one of"),
    (lambda x: ops.gather(x, KEYS), IndexError, "2 of indices"),
    (lambda x: ops.conv(x.double().reshape(1, 1, 2, 4), x.double().reshape(1, 1, 2, 4)), TypeError, "float32"),
])
def test_refuses_wrong_tensors_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call(torch.ones(8))


def test_a_compiled_function_has_one_graph():
    def loss(x, keys):
        return (ops.scatter(keys, x * x, 4, "mean") + ops.sum(ops.inclusive_sum(x))).sum()

    eager, compiled = values(8), values(8)
    loss(eager, KEYS).backward()
    torch.compile(loss, fullgraph=True, backend="aot_eager")(compiled, KEYS).backward()
    assert torch.equal(eager.grad, compiled.grad)


def test_modules_take_tensors(tmp_path):
    path = tmp_path / "twice.cu"
    path.write_text("__global__ void twice(float* x) { x[threadIdx.x] *= 2; }\n")
    x = torch.arange(4.0)
    rafter.load_module(path).twice(x, block=4)
    assert x.tolist() == [0, 2, 4, 6]
    with pytest.raises(ValueError, match="x requires gradients"):
        rafter.load_module(path).twice(x.requires_grad_(), block=4)


def test_the_example_learns(capsys):
    import pathlib
    import runpy

    example = runpy.run_path(str(pathlib.Path(__file__).parents[2] / "examples" / "scatter_network.py"))
    example["main"](40)
    errors = [float(line.split()[-1]) for line in capsys.readouterr().out.splitlines()]
    assert len(errors) == 5 and errors[-1] < errors[0] / 5
