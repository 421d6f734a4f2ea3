// Blocks pass data along a chain through volatile flags and fences: a systolic prefix product.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THREADS 32

__global__ void relay(const unsigned *in, unsigned *mail, volatile int *ready, unsigned *out, int stages, int *order)
{
    __shared__ int stage;
    // The start order decides the position in the chain, so that a block only waits for a running one.
    if (threadIdx.x == 0) stage = atomicAdd(order, 1);
    __syncthreads();
    const int me = stage;
    unsigned v = in[me * THREADS + threadIdx.x];

    if (me > 0) {
        if (threadIdx.x == 0) {
            while (ready[me - 1] == 0) { }
            __threadfence();
        }
        __syncthreads();
        v = v * mail[(me - 1) * THREADS + threadIdx.x] + 1;
    }
    mail[me * THREADS + threadIdx.x] = v;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) ready[me] = 1;
    if (me == stages - 1) out[threadIdx.x] = v;
}

int main(int argc, char **argv)
{
    const int stages = argc > 1 ? atoi(argv[1]) : 20;
    const int n = stages * THREADS;
    std::vector<unsigned> h(n), got(THREADS), want(THREADS);
    for (int i = 0; i < n; i++) h[i] = 2u * i + 1;
    for (int t = 0; t < THREADS; t++) {
        want[t] = h[t];
        for (int s = 1; s < stages; s++) want[t] = h[s * THREADS + t] * want[t] + 1;
    }

    unsigned *in, *mail, *out;
    int *ready, *order;
    cudaMalloc(&in, n * sizeof(unsigned));
    cudaMalloc(&mail, n * sizeof(unsigned));
    cudaMalloc(&out, THREADS * sizeof(unsigned));
    cudaMalloc(&ready, stages * sizeof(int));
    cudaMalloc(&order, sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemset(ready, 0, stages * sizeof(int));
    cudaMemset(order, 0, sizeof(int));
    relay<<<stages, THREADS>>>(in, mail, ready, out, stages, order);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    cudaMemcpy(got.data(), out, THREADS * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaFree(in); cudaFree(mail); cudaFree(out); cudaFree(ready); cudaFree(order);
    printf("producer_consumer: %d stages, %s\n", stages, got == want ? "ok" : "WRONG");
    return got == want ? 0 : 1;
}
