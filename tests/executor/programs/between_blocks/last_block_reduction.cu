// Sum in one launch: every block publishes its partial sum behind a fence, the last block to arrive adds them up.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define gpuErrchk(ans) do { cudaError_t _e = (ans); if (_e != cudaSuccess) { \
  fprintf(stderr, "GPU error %d (%s) in %s:%d\n", (int)_e, cudaGetErrorString(_e), __FILE__, __LINE__); return 1; } } while (0)

__device__ unsigned int retirementCount = 0;

template <int BLOCK>
__device__ double blockSum(double v)
{
    static __shared__ double partial[BLOCK / 32];
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    if (threadIdx.x % 32 == 0)
        partial[threadIdx.x / 32] = v;
    __syncthreads();
    double total = 0;
    if (threadIdx.x == 0)
        for (int w = 0; w < BLOCK / 32; ++w)
            total += partial[w];
    __syncthreads();
    return total;
}

template <int BLOCK>
__global__ void sumSinglePass(const double *in, int n, double *partials, double *out)
{
    __shared__ bool amLast;
    double mine = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += BLOCK * gridDim.x)
        mine += in[i];
    double total = blockSum<BLOCK>(mine);

    if (threadIdx.x == 0) {
        partials[blockIdx.x] = total;
        __threadfence();
        unsigned int ticket = atomicInc(&retirementCount, gridDim.x);
        __threadfence();
        amLast = (ticket == gridDim.x - 1);
    }
    __syncthreads();

    if (amLast) {
        mine = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += BLOCK)
            mine += partials[b];
        total = blockSum<BLOCK>(mine);
        if (threadIdx.x == 0) {
            *out = total;
            retirementCount = 0;
        }
    }
}

int main()
{
    const int n = 9973, blocks = 11;
    std::vector<double> h(n);
    double want = 0;
    for (int i = 0; i < n; ++i)
        want += h[i] = (i % 97) * 0.25;

    double *in, *partials, *out;
    gpuErrchk(cudaMalloc(&in, n * sizeof(double)));
    gpuErrchk(cudaMalloc(&partials, blocks * sizeof(double)));
    gpuErrchk(cudaMalloc(&out, sizeof(double)));
    gpuErrchk(cudaMemcpy(in, h.data(), n * sizeof(double), cudaMemcpyHostToDevice));

    for (int rep = 0; rep < 3; ++rep) {
        sumSinglePass<128><<<blocks, 128>>>(in, n, partials, out);
        gpuErrchk(cudaGetLastError());
        double got = -1;
        gpuErrchk(cudaMemcpy(&got, out, sizeof(double), cudaMemcpyDeviceToHost));
        if (!(got == want)) {
            printf("run %d: %.17g, expected %.17g\n", rep, got, want);
            return 1;
        }
    }
    gpuErrchk(cudaFree(in));
    gpuErrchk(cudaFree(partials));
    gpuErrchk(cudaFree(out));
    printf("last_block_reduction: ok\n");
    return 0;
}
