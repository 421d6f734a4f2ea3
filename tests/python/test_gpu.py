"""Arrays on a GPU: tensors of PyTorch and arrays of CuPy and JAX in place, on their stream. Skipped without a GPU, and for
a build without CUDA."""
import pytest

torch = pytest.importorskip("torch")

import rafter
import rafter.torch as ops

if not torch.cuda.is_available() or not rafter.has_cuda():
    pytest.skip("there is no GPU, or the build has no CUDA", allow_module_level=True)

GPU = torch.device("cuda")
KEYS = torch.tensor([2, 0, 2, 1, 9, 0, -1, 2], device=GPU)


def values(*shape, dtype=torch.float64, grad=True):
    generator = torch.Generator().manual_seed(7)
    return torch.randn(*shape, dtype=dtype, generator=generator).to(GPU).requires_grad_(grad)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.int32,
                                   torch.int64])
def test_ops_give_the_cpus_results(dtype):
    x = torch.arange(-500, 500).to(dtype) / (1 if not dtype.is_floating_point else 8)
    y = x.to(GPU)
    for op in (rafter.minimum, rafter.maximum, rafter.argmin, rafter.argmax, rafter.sum):
        assert op(y).device.type == "cuda" and torch.equal(op(y).cpu(), op(x))
    assert torch.equal(rafter.mul_add(y, y, y).cpu(), rafter.mul_add(x, x, x))
    assert torch.equal(rafter.multiply(y, 2).cpu(), rafter.multiply(x, 2))
    assert torch.equal(rafter.convert(y, "float64").cpu(), rafter.convert(x, "float64"))
    assert torch.equal(rafter.transpose(y.reshape(10, 100)).cpu(), x.reshape(10, 100).t())
    assert torch.equal(rafter.gather(y, torch.tensor([3, 999], device=GPU)).cpu(), x[[3, 999]])
    assert torch.equal(rafter.scatter(torch.arange(1000, device=GPU) % 7, y, 7, "max").cpu(),
                       rafter.scatter(torch.arange(1000) % 7, x, 7, "max"))
    if dtype.itemsize > 2:
        assert torch.equal(rafter.inclusive_sum(y).cpu(), rafter.inclusive_sum(x))
        assert torch.equal(rafter.filter(y, ">", 3).cpu(), x[x > 3])
        assert torch.equal(rafter.filter_indices(y, ">", 3).cpu(), torch.nonzero(x > 3).ravel())


def test_out_is_written_and_wrong_devices_are_refused():
    x, out = torch.ones(8, device=GPU), torch.empty(8, device=GPU)
    assert rafter.mul_add(x, x, x, out=out) is out and (out == 2).all()
    with pytest.raises(ValueError, match="mul_add: b should be on the stream's device, GPU 0, is on the CPU"):
        rafter.mul_add(x, x.cpu(), x)
    with pytest.raises(ValueError, match="mul_add: out should be on the stream's device, the CPU"):
        rafter.mul_add(x.cpu(), x.cpu(), x.cpu(), out=out)
    with pytest.raises(IndexError, match="1 of indices, the first at position 0"):
        rafter.gather(x, torch.tensor([8], device=GPU))
    with pytest.raises(ValueError, match="requires gradients"):
        rafter.sum(x.requires_grad_())


def test_ops_run_on_the_current_stream():
    a, stream = torch.ones(1 << 24, device=GPU), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)  # an op on another stream would read the ones
        a.fill_(2)
        total = rafter.sum(a)
    stream.synchronize()
    assert total.item() == 2 << 24


def test_a_cuda_graph_captures_ops():
    x = torch.ones(1000, device=GPU)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        ops.sum(ops.inclusive_sum(x))  # takes the scratch memory of the stream
    stream.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=stream):
        total = ops.sum(ops.inclusive_sum(x))
    x.fill_(2)
    graph.replay()
    torch.cuda.synchronize()
    assert total.item() == 1000 * 1001


@pytest.mark.parametrize("reduction", ["sum", "mean", "min", "max"])
def test_scatters_pass_opcheck_and_gradcheck(reduction):
    torch.library.opcheck(torch.ops.rafter.scatter, (KEYS, values(8), 3, reduction, False))
    assert torch.autograd.gradcheck(lambda x: ops.scatter(KEYS, x, 3, reduction), (values(8),))


@pytest.mark.parametrize("function, inputs", [
    (ops.sum, lambda: (values(30),)),
    (ops.row_sums, lambda: (values(5, 7),)),
    (ops.inclusive_sum, lambda: (values(30),)),
    (ops.exclusive_sum, lambda: (values(30),)),
    (ops.mul_add, lambda: (values(9), values(9) + 1, values(9) + 2)),
    (ops.transpose, lambda: (values(5, 7),)),
    (lambda table: ops.gather(table, KEYS.clamp(0, 9)), lambda: (values(10),)),
], ids=["sum", "row_sums", "inclusive_sum", "exclusive_sum", "mul_add", "transpose", "gather"])
def test_operators_pass_gradcheck(function, inputs):
    assert torch.autograd.gradcheck(function, inputs(), nondet_tol=1e-12)


def test_convolutions_have_torchs_gradients():
    ours = [values(2, 3, 8, 9, dtype=torch.float32), values(4, 3, 3, 2, dtype=torch.float32)]
    theirs = [one.detach().double().requires_grad_() for one in ours]
    ops.conv(*ours, padding=(1, 1)).sum().backward()
    torch.nn.functional.conv2d(*theirs, padding=(1, 1)).sum().backward()
    for one, other in zip(ours, theirs):
        torch.testing.assert_close(one.grad, other.grad.float(), rtol=1e-4, atol=1e-4)


def test_deterministic_algorithms_add_in_one_order():
    keys = torch.randint(0, 10, (100_000,), device=GPU)
    x = values(100_000, dtype=torch.float32, grad=False)
    torch.use_deterministic_algorithms(True)
    try:
        sums = [ops.scatter(keys, x, 10) for _ in range(5)]
    finally:
        torch.use_deterministic_algorithms(False)
    assert all(torch.equal(one, sums[0]) for one in sums)


def test_arrays_of_cupy_are_used_in_place():
    cupy = pytest.importorskip("cupy")
    x = cupy.arange(10, dtype=cupy.float32)
    out = cupy.empty(10, cupy.float32)
    assert rafter.mul_add(x, x, x, out=out) is out and bool((out == x * x + x).all())
    assert float(rafter.sum(x)) == 45 and isinstance(rafter.filter(x, ">", 5), cupy.ndarray)
    with cupy.cuda.Stream(non_blocking=True):
        assert float(rafter.sum(x * 2)) == 90


def test_arrays_of_jax_are_read_and_never_written():
    jax = pytest.importorskip("jax")
    x = jax.numpy.arange(10, dtype="float32")
    if x.device.platform != "gpu":
        pytest.skip("JAX has no GPU")
    out = torch.empty((), device=GPU)
    rafter.sum(x, out=out)
    assert out.item() == 45
    with pytest.raises(ValueError, match="out should be writable"):
        rafter.mul_add(x, x, x, out=x)
    with pytest.raises(TypeError, match="pass `out`"):
        rafter.mul_add(x, x, x)


def test_solvers_and_models_run_on_the_gpu():
    import numpy as np

    field = np.random.default_rng(1).random((20, 20, 20), np.float32)
    found = []
    for device in ("cpu", "cuda"):
        solver = rafter.HeatSolver(field.shape, device=device)
        solver.set_field(field)
        solver.advance(10)
        found.append(solver.field())
    assert np.allclose(*found, atol=1e-5)
    with pytest.raises(ValueError, match="x should be on the CPU"):
        rafter.load_module("__global__ void twice(float* x) { *x *= 2; }\n").twice(torch.ones(1, device=GPU))


def test_bench_counts_work_on_all_streams():
    side = torch.cuda.Stream()

    def make(random):
        return torch.tensor(random.random(1000), device=GPU),

    def hides(x):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            torch.cuda._sleep(20_000_000)
            return x * 2

    result = rafter.bench({"plain": lambda x: x * 2, "hides": hides}, make, reference=lambda x: x * 2, rounds=10, seed=1)
    assert result and result["hides"].median_ns > 5 * result["plain"].median_ns
