"""Ops on NumPy arrays: results against NumPy's, `out`, and refusals that name the argument."""
import array
import multiprocessing
import threading

import numpy as np
import pytest

import rafter

FLOATS = ["float16", "float32", "float64"]
NUMBERS = [*FLOATS, "int32", "int64"]
SCANNED = ["float32", "float64", "int32", "int64"]


def eighths(random, n, dtype):
    """Numbers whose sums and products are exact."""
    whole = random.integers(-64, 64, n).astype(dtype)
    return whole / whole.dtype.type(8) if whole.dtype.kind == "f" else whole


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize("n", [0, 1, 1025])
def test_sums_have_the_type_and_value_of_exact_sums(random, dtype, n):
    x = eighths(random, n, dtype)
    total = rafter.sum(x)
    assert total.dtype == (np.int64 if x.dtype.kind == "i" else x.dtype)
    assert total == x.astype(np.float64).sum().astype(total.dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_elementwise_ops_equal_numpy(random, dtype):
    a, b, c = (eighths(random, (5, 7), dtype) for _ in range(3))
    assert np.array_equal(rafter.multiply(a, b), a * b)
    assert np.array_equal(rafter.multiply(a, 2), a * np.dtype(dtype).type(2))
    wide = a.astype(np.float64) * b + c
    assert np.array_equal(rafter.mul_add(a, b, c), wide.astype(dtype))
    assert np.array_equal(rafter.fill(np.empty(9, dtype), 3), np.full(9, 3, dtype))
    assert np.array_equal(rafter.iota(np.empty(9, dtype), 2, 3), np.arange(2, 29, 3).astype(dtype))


def test_converts_between_types():
    x = np.array([1.5, -2.7, np.nan, 1e30], np.float32)
    assert rafter.convert(x, "int32").tolist() == [1, -2, 0, 2**31 - 1]
    assert rafter.convert(x, np.float64).dtype == np.float64
    assert rafter.convert(x, np.dtype("float16")).dtype == np.float16


@pytest.mark.parametrize("dtype", NUMBERS)
def test_extremes_equal_numpy(random, dtype):
    x = eighths(random, 1000, dtype)
    assert rafter.minimum(x) == x.min() and rafter.maximum(x) == x.max()
    assert rafter.argmin(x) == x.argmin() and rafter.argmax(x) == x.argmax()


@pytest.mark.parametrize("dtype", SCANNED)
def test_prefix_sums_equal_numpy(random, dtype):
    x = eighths(random, 1000, dtype)
    assert np.array_equal(rafter.inclusive_sum(x), np.cumsum(x, dtype=dtype))
    assert np.array_equal(rafter.exclusive_sum(x), np.cumsum(x, dtype=dtype) - x)
    assert rafter.inclusive_sum(x, out=x) is x


@pytest.mark.parametrize("dtype", SCANNED)
@pytest.mark.parametrize("op, holds", [("<", np.less), ("<=", np.less_equal), (">", np.greater),
                                       (">=", np.greater_equal), ("==", np.equal), ("!=", np.not_equal)])
def test_filters_equal_numpy(random, dtype, op, holds):
    x = eighths(random, 1000, dtype)
    assert np.array_equal(rafter.filter(x, op, 2), x[holds(x, 2)])
    assert np.array_equal(rafter.filter_indices(x, op, 2), np.flatnonzero(holds(x, 2)))
    assert np.array_equal(rafter.filter(x, op, 2, magnitude=True), x[holds(np.abs(x), 2)])
    assert np.array_equal(np.sort(rafter.filter(x, op, 2, ordered=False)), np.sort(x[holds(x, 2)]))


def test_filters_write_to_given_arrays():
    x, out, count = np.arange(10.0), np.full(4, -1.0), np.empty(1, np.int64)
    assert rafter.filter(x, ">", 6, out=out).tolist() == [7, 8, 9] and out[3] == -1
    kept, counted = rafter.filter(x, ">", 2, out=out, count=count)
    assert kept is out and counted is count and count[0] == 7 and out.tolist() == [3, 4, 5, 6]
    with pytest.raises(ValueError, match="out should have at least 7 elements, has 4"):
        rafter.filter(x, ">", 2, out=out)


def test_filters_columns_by_a_key(random):
    key, whole, half = random.random(100), np.arange(100), np.arange(100, dtype=np.float16)
    kept = rafter.filter_columns(key, "<", 0.5, [whole, half, key])
    assert [column.dtype for column in kept] == [np.int64, np.float16, np.float64]
    assert np.array_equal(kept[0], whole[key < 0.5]) and np.array_equal(kept[2], key[key < 0.5])


def test_gathers_and_treats_indices_out_of_range():
    table, indices = np.array([10.0, 20.0, 30.0]), np.array([[2, -1], [5, 0]])
    assert rafter.gather(table, indices, "clamp").tolist() == [[30, 10], [30, 10]]
    assert rafter.gather(table, indices, "zero").tolist() == [[30, 0], [0, 10]]
    with pytest.raises(IndexError, match="2 of indices, the first at position 1, should be between 0 and 2"):
        rafter.gather(table, indices)
    assert rafter.gather(table, np.array([1], np.int32)).tolist() == [20]


def test_scatters_by_key(random):
    keys, values = random.integers(0, 50, 1000), eighths(random, 1000, "float64")
    sums = np.bincount(keys, values, 60)
    counts = np.bincount(keys, minlength=60)
    assert np.array_equal(rafter.scatter(keys, values, 60), sums)
    assert np.allclose(rafter.scatter(keys, values, 60, "mean"), sums / np.maximum(counts, 1), rtol=1e-15)
    arguments, counted = np.empty(60, np.int64), np.empty(60, np.int64)
    least = rafter.scatter(keys, values, 60, "min", counts=counted, arguments=arguments)
    assert np.array_equal(counted, counts)
    for key in range(60):
        mine = np.flatnonzero(keys == key)
        assert least[key] == (values[mine].min() if mine.size else np.inf)
        assert arguments[key] == (mine[values[mine].argmin()] if mine.size else -1)
    plan = rafter.ScatterPlan(keys, 60)
    assert np.array_equal(plan.scatter(values), sums) and (plan.size, plan.n_keys) == (1000, 60)
    gradient = eighths(random, 60, "float64")
    assert np.array_equal(rafter.scatter_gradient(keys, gradient), gradient[keys])
    assert np.array_equal(plan.gradient(gradient), gradient[keys])


@pytest.mark.parametrize("dtype", FLOATS)
def test_rows_and_transposes_take_strided_rows(random, dtype):
    x = eighths(random, (33, 40), dtype)[:, 3:20]
    assert np.array_equal(rafter.row_sums(x), x.astype(np.float64).sum(1).astype(dtype))
    assert np.array_equal(rafter.transpose(x), x.T)
    assert rafter.transpose(x.astype(np.complex64)).dtype == np.complex64


def test_convolves_images(random):
    x = eighths(random, (2, 3, 9, 8), "float32")
    kernels, bias = eighths(random, (4, 3, 3, 2), "float32"), eighths(random, 4, "float32")
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (2, 2)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 2), (2, 3))
    expected = np.einsum("bchwpq,mcpq->bmhw", windows.astype(np.float64), kernels) + bias[:, None, None]
    assert np.array_equal(rafter.conv(x, kernels, bias, padding=(1, 2)), expected.astype(np.float32))
    pooled = rafter.conv(x, kernels, bias, padding=(1, 2), relu=True, pool=2)
    blocks = np.maximum(expected, 0)[:, :, :8, :10].reshape(2, 4, 4, 2, 5, 2).max((3, 5))
    assert np.array_equal(pooled, blocks[:, :, :pooled.shape[2], :pooled.shape[3]].astype(np.float32))


def test_graphs_in_space_equal_their_formulas(random):
    positions = random.random((6, 3), np.float32)
    index = np.array([[0, 1, 5], [3, 4, 2]])
    vectors, distances, units = rafter.edge_vectors(positions, index)
    assert np.allclose(vectors, positions[index[0]] - positions[index[1]])
    assert np.allclose(distances, np.linalg.norm(vectors, axis=1)) and np.allclose(units * distances[:, None], vectors)
    centres = np.linspace(0, 2, 5, dtype=np.float32)
    expected = np.exp(-3 * (distances[:, None] - centres)**2) * (np.cos(np.pi * distances / 4) + 1)[:, None] / 2
    assert np.allclose(rafter.radial(distances, centres, 3, 4), expected, rtol=1e-5)


def test_heat_keeps_the_mean_of_a_periodic_field(random):
    solver = rafter.HeatSolver((12, 13, 14), dtype="float64", boundary="periodic", order=4)
    field = random.random((12, 13, 14))
    solver.set_field(field)
    solver.advance(20)
    assert solver.n_steps == 20 and solver.time == pytest.approx(20 * solver.dt)
    assert solver.total == pytest.approx(field.sum(), rel=1e-12)
    assert solver.field().std() < field.std() and solver.max == solver.field().max()
    assert solver.field(out=field) is field


def test_heat_advance_equals_the_solver(random):
    field = random.random((12, 13, 14), np.float32)
    solver = rafter.HeatSolver(field.shape)
    solver.set_field(field)
    solver.advance(3)
    assert np.array_equal(rafter.heat_advance(field, 3), solver.field())


def test_buffers_without_numpy_are_arrays():
    assert rafter.sum(array.array("d", [1, 2, 3])) == 6
    assert rafter.sum(memoryview(array.array("q", [1, 2]))) == 3


X = np.ones(8, np.float32)
OVERLAPPING = np.ones(9, np.float32)
READ_ONLY = np.ones(8, np.float32)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize("call, error, message", [
    (lambda: rafter.sum([1.0, 2.0]), TypeError, "sum: x should be an array .*, is list"),
    (lambda: rafter.sum(X.astype(np.int8)), TypeError, "sum: x should be float32.*, is int8"),
    (lambda: rafter.sum(X.astype(">f4")), ValueError, "sum: x should have the byte order of this machine"),
    (lambda: rafter.sum(X[::2]), ValueError, "sum: x should be contiguous"),
    (lambda: rafter.sum(np.array(["a"])), TypeError, "sum: x should have elements of a number type"),
    (lambda: rafter.sum(np.array([None])), TypeError, "sum: x should have elements of a number type"),
    (lambda: rafter.sum(X, out=X[3:4]), ValueError, "sum: out overlaps x"),
    (lambda: rafter.inclusive_sum(OVERLAPPING[:8], out=OVERLAPPING[1:]), ValueError, "out overlaps x"),
    (lambda: rafter.sum(X, out=np.empty(2, np.float32)), ValueError, "sum: out should have 1 element, has 2"),
    (lambda: rafter.mul_add(X, X, X[:3]), ValueError, r"mul_add: c should have the shape \[8\], has \[3\]"),
    (lambda: rafter.mul_add(X, X, X, out=np.empty(8)), TypeError, "mul_add: out should be float32, is float64"),
    (lambda: rafter.mul_add(X, X, X, out=READ_ONLY), ValueError, "mul_add: out should be writable"),
    (lambda: rafter.multiply(X, X, out=None, other=1), TypeError, "other"),
    (lambda: rafter.multiply(np.arange(3), 1.5), TypeError, "multiply: b should be an integer"),
    (lambda: rafter.fill(np.empty(2, np.int32), 2**40), ValueError, "fill: value"),
    (lambda: rafter.fill(np.empty(2, np.int64), 2**70), ValueError, "fill: value should fit 64 bits"),
    (lambda: rafter.fill(X, "one"), TypeError, "fill: value should be a number"),
    (lambda: rafter.argmin(X, out=np.empty((), np.int32)), TypeError, "argmin: out should be int64, is int32"),
    (lambda: rafter.argmin(np.arange(3), out=np.arange(1)[:0]), ValueError, "argmin: out should have 1 element"),
    (lambda: rafter.filter_indices(X, ">", 0, out=np.empty(8)), TypeError, "filter_indices: out should be int"),
    (lambda: rafter.filter(X.astype(int), ">", 2**80), ValueError, "filter: bound should fit 64 bits"),
    (lambda: rafter.filter(X.astype(np.int32), ">", 2**40), ValueError, "filter: bound"),
    (lambda: rafter.conv(X.reshape(1, 1, 2, 4), X.reshape(1, 1, 2, 4), X), ValueError, "conv: bias should have"),
    (lambda: rafter.minimum(np.empty(0)), ValueError, "minimum: x must have at least one element"),
    (lambda: rafter.filter(X, "=", 1), ValueError, "filter: op should be one of '<',.*, is '='"),
    (lambda: rafter.scatter(np.zeros(8, int), X), TypeError, "scatter: pass n_keys or out"),
    (lambda: rafter.scatter(np.zeros(8, int), X, -1), ValueError, "scatter: n_keys should be 0 or more"),
    (lambda: rafter.scatter(np.zeros(8, int), X, 2, "product"), ValueError, "reduction should be one of 'sum'"),
    (lambda: rafter.scatter(np.zeros(7, int), X, 2), ValueError, r"scatter: (values|keys) should have the shape"),
    (lambda: rafter.transpose(X), ValueError, "transpose: x should have 2 axes, has 1"),
    (lambda: rafter.convert(X), TypeError, "convert: pass either dtype or out"),
    (lambda: rafter.convert(X, "bfloat16"), TypeError, "NumPy has no bfloat16"),
    (lambda: rafter.convert(X, "float31"), TypeError, "dtype should be the name of an element type"),
    (lambda: rafter.HeatSolver((3, 3, 3), order=3), ValueError, "order"),
    (lambda: rafter.ForceField("/nowhere.safetensors"), OSError, "/nowhere.safetensors"),
    (lambda: rafter.ForceField(b"nothing"), ValueError, "the weights"),
])
def test_refuses_wrong_arguments_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


class Exported:
    """An array of another package, which has DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class OldExported(Exported):
    def __dlpack__(self, stream=None):  # before DLPack 1.0
        return self.array.__dlpack__()


class Namespaced(Exported):
    device = "cpu"

    def __array_namespace__(self):
        return np


class Immutable(Exported):
    __module__ = "jaxlib.something"


@pytest.mark.parametrize("kind", [Exported, OldExported])
def test_arrays_of_other_packages_are_used_in_place(kind):
    x, out = np.arange(6, dtype=np.float32), np.zeros(6, np.float32)
    rafter.mul_add(kind(x), x, kind(x), out=kind(out))
    assert np.array_equal(out, x * x + x)
    with pytest.raises(TypeError, match=f"cannot make a result of the type {kind.__name__}: pass `out`"):
        rafter.sum(kind(x))
    with pytest.raises(ValueError, match="sum: x should be contiguous"):
        rafter.sum(kind(x[::2]), out=out[:1])
    with pytest.raises(TypeError, match="out should be int64, is float32"):
        rafter.argmax(kind(x), out=kind(out[:1]))


def test_results_are_made_by_the_arrays_package():
    if not hasattr(np, "__array_namespace_info__"):
        pytest.skip("NumPy 1 is no array API namespace")
    assert rafter.multiply(Namespaced(np.arange(3.0)), 2).tolist() == [0, 2, 4]


def test_read_only_exports_are_not_written():
    x = np.ones(3)
    with pytest.raises(ValueError, match="out should be writable, is an array of JAX"):
        rafter.multiply(x, x, out=Immutable(np.ones(3)))
    x.flags.writeable = False
    with pytest.raises(ValueError, match="out (should be writable|cannot be used in place)"):
        rafter.multiply(np.ones(3), np.ones(3), out=Exported(x))


def test_refused_arrays_are_not_kept():
    data = bytearray(16)
    with pytest.raises(TypeError):
        rafter.sum(memoryview(data).cast("B"))
    with pytest.raises(ValueError, match="writable"):
        rafter.fill(memoryview(data).cast("f").toreadonly(), 1)
    rafter.fill(memoryview(data).cast("f"), 1)
    data.extend(b"1")  # BufferError if an export were left


def test_refused_calls_write_nothing():
    out = np.full(8, 7.0, np.float32)
    with pytest.raises(ValueError):
        rafter.mul_add(X, X, X[:3], out=out)
    assert (out == 7).all()


def test_results_are_the_same_in_threads(random):
    x = random.random(100_000)
    expected, found = rafter.sum(x), []
    threads = [threading.Thread(target=lambda: found.append(rafter.sum(x))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def _sum_of(n):
    return float(rafter.sum(np.ones(n)))


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_works_after_a_fork():
    assert _sum_of(1_000_000) == 1_000_000  # the parent's workers exist
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_sum_of, [10, 1_000_000]) == [10, 1_000_000]
