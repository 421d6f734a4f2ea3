// Bitonic sort of a padded array: global steps for far pairs, one shared-memory kernel for near pairs.
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <vector>
using namespace std;

#define SHARED_SIZE 256u

__device__ inline void compareAndSwap(int &a, int &b, bool ascending)
{
    if ((a > b) == ascending) {
        int t = a;
        a = b;
        b = t;
    }
}

__global__ void bitonicSortShared(int *data)
{
    __shared__ int s[SHARED_SIZE];
    unsigned base = blockIdx.x * SHARED_SIZE;
    s[threadIdx.x] = data[base + threadIdx.x];
    s[threadIdx.x + SHARED_SIZE / 2] = data[base + threadIdx.x + SHARED_SIZE / 2];

    for (unsigned size = 2; size <= SHARED_SIZE; size <<= 1) {
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            bool up = ((base + pos) & size) == 0;
            compareAndSwap(s[pos], s[pos + stride], up);
        }
    }
    __syncthreads();
    data[base + threadIdx.x] = s[threadIdx.x];
    data[base + threadIdx.x + SHARED_SIZE / 2] = s[threadIdx.x + SHARED_SIZE / 2];
}

__global__ void bitonicMergeGlobal(int *data, unsigned size, unsigned stride)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned pos = 2 * t - (t & (stride - 1));
    compareAndSwap(data[pos], data[pos + stride], (pos & size) == 0);
}

__global__ void bitonicMergeShared(int *data, unsigned size)
{
    __shared__ int s[SHARED_SIZE];
    unsigned base = blockIdx.x * SHARED_SIZE;
    for (unsigned k = threadIdx.x; k < SHARED_SIZE; k += blockDim.x)
        s[k] = data[base + k];
    for (unsigned stride = SHARED_SIZE / 2; stride > 0; stride >>= 1) {
        __syncthreads();
        unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        compareAndSwap(s[pos], s[pos + stride], ((base + pos) & size) == 0);
    }
    __syncthreads();
    for (unsigned k = threadIdx.x; k < SHARED_SIZE; k += blockDim.x)
        data[base + k] = s[k];
}

int main()
{
    const unsigned n = 1777, padded = 2048;
    vector<int> keys(n);
    srand(7);
    for (auto &k : keys) k = rand() - RAND_MAX / 2;

    vector<int> host(keys);
    host.resize(padded, INT_MAX);
    int *d;
    cudaMalloc((void **)&d, padded * sizeof(int));
    cudaMemcpy(d, &host[0], padded * sizeof(int), cudaMemcpyHostToDevice);

    const unsigned blocks = padded / SHARED_SIZE, threads = SHARED_SIZE / 2;
    bitonicSortShared<<<blocks, threads>>>(d);
    for (unsigned size = 2 * SHARED_SIZE; size <= padded; size <<= 1) {
        for (unsigned stride = size / 2; stride >= SHARED_SIZE; stride >>= 1)
            bitonicMergeGlobal<<<blocks, threads>>>(d, size, stride);
        bitonicMergeShared<<<blocks, threads>>>(d, size);
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("CUDA error: %s\n", cudaGetErrorString(e));
        return 1;
    }
    cudaMemcpy(&host[0], d, padded * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d);

    sort(keys.begin(), keys.end());
    bool ok = equal(keys.begin(), keys.end(), host.begin());
    printf("bitonic sort of %u keys: %s\n", n, ok ? "sorted" : "NOT sorted");
    return ok ? 0 : 1;
}
