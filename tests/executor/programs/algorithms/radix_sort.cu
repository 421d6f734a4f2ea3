// LSD radix sort of key/value pairs, 4 bits a pass: count per block, scan the counts, scatter stably.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

constexpr int RADIX_BITS = 4;
constexpr int RADIX = 1 << RADIX_BITS;
constexpr int THREADS = 128;

#define CUDA_TRY(x) if (cudaError_t e = (x)) { printf("%s failed: %s\n", #x, cudaGetErrorName(e)); return 1; }

__global__ void countDigits(const uint32_t *keys, int n, int shift, int *counts /* [RADIX][gridDim.x] */)
{
    __shared__ int local[RADIX];
    if (threadIdx.x < RADIX)
        local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n)
        atomicAdd(&local[(keys[i] >> shift) & (RADIX - 1)], 1);
    __syncthreads();
    if (threadIdx.x < RADIX)
        counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

__global__ void scanCounts(int *counts, int total)
{
    // One block scans all counts, blockDim.x at a time.
    extern __shared__ int buf[];
    __shared__ int carry;
    if (threadIdx.x == 0)
        carry = 0;
    for (int base = 0; base < total; base += blockDim.x) {
        int i = base + threadIdx.x;
        int v = i < total ? counts[i] : 0;
        buf[threadIdx.x] = v;
        __syncthreads();
        for (int d = 1; d < blockDim.x; d *= 2) {
            int x = threadIdx.x >= d ? buf[threadIdx.x - d] : 0;
            __syncthreads();
            buf[threadIdx.x] += x;
            __syncthreads();
        }
        if (i < total)
            counts[i] = carry + buf[threadIdx.x] - v;
        __syncthreads();
        if (threadIdx.x == blockDim.x - 1)
            carry += buf[threadIdx.x];
        __syncthreads();
    }
}

__global__ void scatter(const uint32_t *keys, const int *values, uint32_t *keysOut, int *valuesOut, int n, int shift,
                        const int *offsets)
{
    __shared__ uint8_t digit[THREADS];
    int i = blockIdx.x * THREADS + threadIdx.x;
    int d = RADIX;
    if (i < n)
        d = (keys[i] >> shift) & (RADIX - 1);
    digit[threadIdx.x] = (uint8_t)d;
    __syncthreads();
    if (i >= n)
        return;
    int rank = 0;
    for (int t = 0; t < (int)threadIdx.x; ++t)
        rank += digit[t] == d;
    int to = offsets[d * gridDim.x + blockIdx.x] + rank;
    keysOut[to] = keys[i];
    valuesOut[to] = values[i];
}

int main()
{
    const int n = 3001;
    std::vector<uint32_t> keys(n);
    std::vector<int> values(n);
    uint32_t x = 2463534242u;
    for (int i = 0; i < n; ++i) {
        x ^= x << 13; x ^= x >> 17; x ^= x << 5;
        keys[i] = x & 0xffff;
        values[i] = i;
    }
    int blocks = (n + THREADS - 1) / THREADS;
    uint32_t *k[2];
    int *v[2], *counts;
    for (int s = 0; s < 2; ++s) {
        CUDA_TRY(cudaMalloc(&k[s], n * sizeof(uint32_t)));
        CUDA_TRY(cudaMalloc(&v[s], n * sizeof(int)));
    }
    CUDA_TRY(cudaMalloc(&counts, RADIX * blocks * sizeof(int)));
    CUDA_TRY(cudaMemcpy(k[0], keys.data(), n * sizeof(uint32_t), cudaMemcpyHostToDevice));
    CUDA_TRY(cudaMemcpy(v[0], values.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    int cur = 0;
    for (int shift = 0; shift < 16; shift += RADIX_BITS, cur ^= 1) {
        countDigits<<<blocks, THREADS>>>(k[cur], n, shift, counts);
        scanCounts<<<1, 64, 64 * sizeof(int)>>>(counts, RADIX * blocks);
        scatter<<<blocks, THREADS>>>(k[cur], v[cur], k[1 - cur], v[1 - cur], n, shift, counts);
        CUDA_TRY(cudaGetLastError());
    }
    std::vector<uint32_t> gotKeys(n);
    std::vector<int> gotValues(n);
    CUDA_TRY(cudaMemcpy(gotKeys.data(), k[cur], n * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    CUDA_TRY(cudaMemcpy(gotValues.data(), v[cur], n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int s = 0; s < 2; ++s) { cudaFree(k[s]); cudaFree(v[s]); }
    cudaFree(counts);

    std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    for (int i = 0; i < n; ++i)
        if (gotValues[i] != values[i] || gotKeys[i] != keys[values[i]]) {
            printf("radix_sort: wrong at %d\n", i);
            return 1;
        }
    printf("radix_sort: %d pairs in order\n", n);
    return 0;
}
