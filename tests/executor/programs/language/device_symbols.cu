// __device__ and __constant__ variables: copies to and from symbols with offsets, symbol addresses and sizes.
#include <cstdio>
#include <cuda_runtime.h>

#define CALL(x)                                                                     \
    if ((x) != cudaSuccess) {                                                       \
        printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(cudaGetLastError())); \
        return 1;                                                                   \
    }

struct Config {
    int width;
    float gain;
};

__device__ int counter;
__device__ float table[64];
__device__ float *indirect;
__constant__ Config config = {10, 0.5f};
static __device__ double totals[2] = {1.0, 2.0};

namespace deep {
__device__ unsigned int bits = 0x0f0f0f0fu;
}

__global__ void fill_table()
{
    int i = threadIdx.x;
    if (i < 64) {
        table[i] = config.gain * i + config.width;
        if (i % 3 == 0) atomicAdd(&counter, 1);
        atomicXor(&deep::bits, 1u << (i % 32));
    }
}

__global__ void through_pointer(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) indirect[i] = table[i % 64] * 2;
    if (i == 0) totals[1] += totals[0];
}

int main()
{
    int zero = 0, count = -1;
    CALL(cudaMemcpyToSymbol(counter, &zero, sizeof(int)));
    fill_table<<<1, 96>>>();
    CALL(cudaMemcpyFromSymbol(&count, counter, sizeof(int)));

    Config c = {3, 2.0f};
    float part[4];
    CALL(cudaMemcpyFromSymbol(part, table, sizeof(part), 60 * sizeof(float)));
    int bad = count != 22;
    for (int i = 0; i < 4; ++i) bad += part[i] != 0.5f * (60 + i) + 10;
    unsigned int bits = 0;
    CALL(cudaMemcpyFromSymbol(&bits, deep::bits, sizeof(bits)));
    bad += bits != 0x0f0f0f0fu;  // every bit was flipped twice

    CALL(cudaMemcpyToSymbol(config, &c, sizeof(c)));
    fill_table<<<1, 64>>>();
    float *address = NULL;
    size_t bytes = 0;
    CALL(cudaGetSymbolAddress((void **)&address, table));
    CALL(cudaGetSymbolSize(&bytes, table));
    bad += bytes != 64 * sizeof(float);
    float h[64];
    CALL(cudaMemcpy(h, address, sizeof(h), cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; ++i) bad += h[i] != 2.0f * i + 3;

    const int n = 130;
    float *buffer, r[n];
    CALL(cudaMalloc((void **)&buffer, n * sizeof(float)));
    CALL(cudaMemcpyToSymbol(indirect, &buffer, sizeof(buffer)));
    through_pointer<<<3, 64>>>(n);
    through_pointer<<<3, 64>>>(n);
    CALL(cudaMemcpy(r, buffer, sizeof(r), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) bad += r[i] != 2 * h[i % 64];
    double t[2];
    CALL(cudaMemcpyFromSymbol(t, totals, sizeof(t)));
    bad += t[0] != 1.0 || t[1] != 4.0;
    CALL(cudaFree(buffer));
    printf("device_symbols: %d bad\n", bad);
    return bad ? 1 : 0;
}
