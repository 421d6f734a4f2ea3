// A particle counter in __managed__ variables: host and kernel use them by name, the API by address.
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 10

__managed__ unsigned bins[BINS];
__managed__ float width = 0.5f;

__global__ void count(const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[(int)(x[i] / width) % BINS], 1u);
}

int main()
{
    const int n = 1003;
    float *x;
    cudaMallocManaged(&x, n * sizeof(float));
    for (int i = 0; i < n; i++) x[i] = 0.1f * i;
    width = 0.25f;
    cudaMemset(bins, 0, sizeof(bins));
    count<<<(n + 127) / 128, 128>>>(x, n);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;

    unsigned want[BINS] = {0}, got[BINS], total = 0;
    for (int i = 0; i < n; i++) want[(int)(x[i] / width) % BINS]++;
    if (cudaMemcpy(got, bins, sizeof(bins), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    int bad = 0;
    for (int b = 0; b < BINS; b++) {
        total += bins[b];
        bad += got[b] != want[b] || bins[b] != want[b];
    }
    cudaPointerAttributes about;
    cudaPointerGetAttributes(&about, bins);
    if (about.type != cudaMemoryTypeManaged || total != n) bad++;
    printf("managed_variables: %u counted, %d bad\n", total, bad);
    cudaFree(x);
    return bad != 0;
}
