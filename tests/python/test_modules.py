"""Kernels of .cu files, called with arrays and run by the executor."""
import textwrap

import numpy as np
import pytest

import rafter
import rafter.pycuda.autoinit

import pycuda.driver as drv  # that of rafter.pycuda
from pycuda.compiler import SourceModule

SOURCE = textwrap.dedent("""\
    #include <cstdio>
    __global__ void mul_add(float* dest, const float* a, const float* b, const float* c, int n) {
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      if (i < n) dest[i] = a[i] * b[i] + c[i];
    }
    template <class T>
    __global__ void scale(T* x, T factor) { x[threadIdx.x] *= factor; }
    __global__ void says(int n, float* out) { if (threadIdx.x == 0) printf("out = f32[1]: n is %d\\n", n); out[0] = n; }
    __global__ void reverse(const float* in, float* out) {
      __shared__ float tile[64];
      tile[threadIdx.x] = in[threadIdx.x];
      out[threadIdx.x] = tile[63 - threadIdx.x];
    }
    __global__ void takes(double* x, unsigned char byte, bool flag, long long large, const float2* pairs, float2 pair) {}
    """)


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    path = tmp_path_factory.mktemp("modules") / "my.cu"
    path.write_text(SOURCE)
    return rafter.load_module(path)


def test_a_kernel_writes_into_the_callers_arrays(module):
    a, b, c = np.arange(300, dtype=np.float32), np.full(300, 2, np.float32), np.ones(300, np.float32)
    dest = np.full((3, 100), -1, np.float32)
    module.mul_add(dest, a, b, c, 250, block=(128, 1, 1), grid=(3, 1))
    assert np.array_equal(dest.ravel()[:250], 2 * a[:250] + 1) and (dest.ravel()[250:] == -1).all()
    module.mul_add(dest, a, b, c, n=300, block=128, grid=3)
    assert np.array_equal(dest.ravel(), 2 * a + 1)


def test_templates_are_named_by_their_arguments(module):
    x = np.arange(4.0)
    module.scale["double"](x, 0.1, block=4)
    module["scale<double>"](x, 10, block=4, check=True)
    assert np.array_equal(x, np.arange(4.0) * 0.1 * 10)


def test_what_a_kernel_prints_is_printed(module, capfd):
    out = np.zeros(1, np.float32)
    module.says(7, out, block=2)
    assert capfd.readouterr().out == "out = f32[1]: n is 7\n" and out[0] == 7


def test_a_checked_call_throws_the_finding_with_its_line(module):
    x, out = np.arange(64, dtype=np.float32), np.empty(64, np.float32)
    with pytest.raises(rafter.FindingError, match=r"race in shared memory, kernel reverse") as caught:
        module.reverse(x, out, block=64, check=True)
    lines = SOURCE.splitlines()
    sites = [site for finding in caught.value.findings if finding.kind == "race" for site in finding.sites]
    assert sites and {lines[site.line - 1].strip() for site in sites} == {site.source for site in sites}
    assert all(site.source in str(caught.value) and "my.cu" in site.file for site in sites)
    found = module.reverse.checked(x, out, block=64)
    assert not found and "race" in {finding.kind for finding in found.findings}


def test_a_checked_call_finds_reads_past_the_end_and_of_nothing(module):
    a, dest = np.ones(8, np.float32), np.zeros(8, np.float32)
    found = module.mul_add.checked(dest, a, a, a, 9, block=9)
    assert {finding.kind for finding in found.findings} == {"out_of_bounds"} and not found
    found = module.mul_add.checked(dest, drv.Out(a), drv.In(a), a, 8, block=8)
    assert {(finding.kind, finding.space) for finding in found.findings} == {("uninitialised", "global")}
    assert module.mul_add.checked(dest, a, a, a, 8, block=8)


def test_a_null_pointer_fails_loudly(module):
    with pytest.raises(rafter.Error, match="null pointer"):
        module.scale["float"](None, 2.0)


def test_profiles_and_explains(module):
    a, dest = np.ones(256, np.float32), np.empty(256, np.float32)
    profile = module.mul_add.profile(dest, a, a, a, 256, block=256)
    assert (dest == 2).all()
    assert {(one.line, one.kind, one.sectors) for one in profile.lines} == {(4, "load", 32), (4, "store", 32)}
    assert "<table>" in profile._repr_html_() and "global store" in str(profile)


def test_counts_of_a_failed_run_are_not_returned(module):
    with pytest.raises(rafter.Error, match="null pointer|out of bounds"):
        module.scale["float"].profile(None, 2.0, block=4)


@pytest.mark.parametrize("call, error, message", [
    (lambda m, x: m.mul_add(x, x.copy(), x.copy(), x.astype(int), 4), TypeError,
     "c should be float32, as the kernel's 'const f32\\* c' says, is int64"),
    (lambda m, x: m.mul_add(x, x.copy(), x.copy()), TypeError, "needs c, n"),
    (lambda m, x: m.mul_add(x, x, x, x, 1, 2), TypeError, "takes 5 arguments, 6 were given"),
    (lambda m, x: m.mul_add(x, x, x, x, m=1), TypeError, "has no parameter m"),
    (lambda m, x: m.mul_add(x, x, x, x, dest=1), TypeError, "got dest twice"),
    (lambda m, x: m.mul_add(x, x, x, x, 4), ValueError, "a should not share memory with dest"),
    (lambda m, x: m.mul_add(x[::2], x, x, x, 4), ValueError, "dest should be contiguous"),
    (lambda m, x: m.mul_add(x.copy(), x, x, x, 1.5), TypeError, "n should be an integer"),
    (lambda m, x: m.mul_add(x.copy(), x, x, x, 2**31), ValueError, "n should fit i32"),
    (lambda m, x: m.mul_add(x.copy(), x, x, [1.0], 4), TypeError, "c should be an array"),
    (lambda m, x: m.mul_add(x.copy(), x, x, x, 4, block=0), ValueError, "block should be 1 to 3 numbers"),
    (lambda m, x: m.mul_add(x.copy(), x, x, x, 4, block=2000), rafter.ToolError, "at most 1024 threads"),
    (lambda m, x: m.takes(np.ones(1), 255, True, 1, None, 1), TypeError, "pair has a type"),
    (lambda m, x: m.takes(np.ones(1), 256, True, 1, None, 1), ValueError, "byte should fit u8, is 256"),
    (lambda m, x: m.scale(x, 2.0), rafter.ToolError, "is a template"),
    (lambda m, x: m["nothing"](x), rafter.ToolError, "unknown kernel 'nothing'"),
    (lambda m, x: m.nothing, AttributeError, "has no kernel 'nothing'"),
    (lambda m, x: rafter.load_module("/nowhere.cu"), FileNotFoundError, "/nowhere.cu"),
])
def test_refuses_wrong_arguments_by_name(module, call, error, message):
    with pytest.raises(error, match=message):
        call(module, np.ones(4, np.float32))


def test_an_edited_file_is_read_anew_and_errors_name_its_lines(tmp_path):
    path = tmp_path / "edited.cu"
    path.write_text("__global__ void set(int* x) { *x = 1; }\n")
    module, x = rafter.load_module(path), np.zeros(1, np.int32)
    module.set(x)
    assert x[0] == 1
    path.write_text("\n\n__global__ void set(int* x) { *x = y; }\n")
    with pytest.raises(rafter.CompileError, match=r"edited.cu:3: error: .*'y'"):
        module.set(x)
    path.write_text("__global__ void set(int* x, int y) { *x = y; }\n")
    module.set(x, 5)
    assert x[0] == 5


def test_code_for_pycuda_runs():
    module = SourceModule("__global__ void twice(float *dest, float *a) { dest[threadIdx.x] = 2 * a[threadIdx.x]; }")
    twice = module.get_function("twice")
    a, dest = np.random.default_rng(1).random(40).astype(np.float32), np.zeros(40, np.float32)
    twice(drv.Out(dest), drv.In(a), block=(40, 1, 1), grid=(1, 1))
    assert np.array_equal(dest, 2 * a)
    memory, result = drv.mem_alloc(a.nbytes), drv.mem_alloc(a.nbytes)
    drv.memcpy_htod(memory, a)
    twice(result, memory, block=(40, 1, 1))
    drv.memcpy_dtoh(dest, result)
    assert np.array_equal(dest, 2 * a) and np.array_equal(drv.from_device(memory, 40, np.float32), a)


def test_programs_are_checked_and_profiled(tmp_path):
    path = tmp_path / "program.cu"
    path.write_text("""#include <cstdio>
__global__ void last(int* x) { *x = threadIdx.x; }
int main(int n, char** words) {
  int* x;
  cudaMalloc(&x, sizeof(int));
  last<<<1, 64>>>(x);
  int found;
  cudaMemcpy(&found, x, sizeof found, cudaMemcpyDeviceToHost);
  std::printf("%s\\n", n > 1 ? words[1] : "none");
}
""")
    found = rafter.check(path, "word")
    assert not found and [finding.kind for finding in found.findings] == ["race"] and "word\n" in found.output
    assert found.findings[0].sites[0].line == 2 and "<pre>" in found._repr_html_()
    assert {(one.line, one.kind) for one in rafter.profile(path).lines} == {(2, "store")}
    with pytest.raises(rafter.ToolError, match="there is no file"):
        rafter.check(tmp_path / "missing.cu")
