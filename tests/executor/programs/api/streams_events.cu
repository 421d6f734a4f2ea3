// Chunks in flight over two streams with pinned memory, events between them, elapsed time.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define N_CHUNK 1500
#define CHUNKS 6
#define FULL (N_CHUNK * CHUNKS)

static void HandleError(cudaError_t err, const char *file, int line)
{
    if (err != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))

__global__ void kernel(int *a, int *b, int *c, int n)
{
    int idx = threadIdx.x + blockIdx.x * blockDim.x;
    if (idx < n) {
        int idx1 = (idx + 1) % n;
        int idx2 = (idx + 2) % n;
        float as = (a[idx] + a[idx1] + a[idx2]) / 3.0f;
        float bs = (b[idx] + b[idx1] + b[idx2]) / 3.0f;
        c[idx] = (int)((as + bs) / 2);
    }
}

__global__ void total(const int *c, int n, unsigned long long *sum)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) atomicAdd(sum, (unsigned long long)c[i]);
}

int main(void)
{
    cudaEvent_t start, stop, done[2];
    float elapsedTime = -1;
    cudaStream_t stream[2];
    int *host_a, *host_b, *host_c;
    int *dev_a[2], *dev_b[2], *dev_c;
    unsigned long long *dev_sum, host_sum = 0;

    HANDLE_ERROR(cudaEventCreate(&start));
    HANDLE_ERROR(cudaEventCreate(&stop));
    for (int s = 0; s < 2; s++) {
        HANDLE_ERROR(cudaStreamCreate(&stream[s]));
        HANDLE_ERROR(cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming));
        HANDLE_ERROR(cudaMalloc((void **)&dev_a[s], N_CHUNK * sizeof(int)));
        HANDLE_ERROR(cudaMalloc((void **)&dev_b[s], N_CHUNK * sizeof(int)));
    }
    HANDLE_ERROR(cudaMalloc((void **)&dev_c, FULL * sizeof(int)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_sum, sizeof(*dev_sum)));
    HANDLE_ERROR(cudaHostAlloc((void **)&host_a, FULL * sizeof(int), cudaHostAllocDefault));
    HANDLE_ERROR(cudaHostAlloc((void **)&host_b, FULL * sizeof(int), cudaHostAllocDefault));
    HANDLE_ERROR(cudaMallocHost((void **)&host_c, FULL * sizeof(int)));
    for (int i = 0; i < FULL; i++) {
        host_a[i] = (i * 17) % 1024;
        host_b[i] = (i * 29) % 2048;
    }

    HANDLE_ERROR(cudaEventRecord(start, 0));
    HANDLE_ERROR(cudaMemsetAsync(dev_sum, 0, sizeof(*dev_sum), stream[0]));
    for (int k = 0; k < CHUNKS; k++) {
        int s = k % 2, first = k * N_CHUNK;
        HANDLE_ERROR(cudaMemcpyAsync(dev_a[s], host_a + first, N_CHUNK * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
        HANDLE_ERROR(cudaMemcpyAsync(dev_b[s], host_b + first, N_CHUNK * sizeof(int), cudaMemcpyHostToDevice, stream[s]));
        kernel<<<(N_CHUNK + 255) / 256, 256, 0, stream[s]>>>(dev_a[s], dev_b[s], dev_c + first, N_CHUNK);
        HANDLE_ERROR(cudaMemcpyAsync(host_c + first, dev_c + first, N_CHUNK * sizeof(int), cudaMemcpyDeviceToHost, stream[s]));
    }
    HANDLE_ERROR(cudaEventRecord(done[1], stream[1]));
    HANDLE_ERROR(cudaStreamWaitEvent(stream[0], done[1], 0));
    total<<<(FULL + 127) / 128, 128, 0, stream[0]>>>(dev_c, FULL, dev_sum);
    HANDLE_ERROR(cudaMemcpyAsync(&host_sum, dev_sum, sizeof(host_sum), cudaMemcpyDeviceToHost, stream[0]));
    HANDLE_ERROR(cudaEventRecord(done[0], stream[0]));
    HANDLE_ERROR(cudaEventSynchronize(done[0]));
    if (cudaEventQuery(done[0]) != cudaSuccess || cudaStreamQuery(stream[0]) != cudaSuccess) return 2;
    HANDLE_ERROR(cudaStreamSynchronize(stream[0]));
    HANDLE_ERROR(cudaStreamSynchronize(stream[1]));
    HANDLE_ERROR(cudaEventRecord(stop, 0));
    HANDLE_ERROR(cudaEventSynchronize(stop));
    HANDLE_ERROR(cudaEventElapsedTime(&elapsedTime, start, stop));

    int bad = elapsedTime >= 0 ? 0 : 1;
    unsigned long long want_sum = 0;
    for (int k = 0; k < CHUNKS; k++)
        for (int i = 0; i < N_CHUNK; i++) {
            const int *a = host_a + k * N_CHUNK, *b = host_b + k * N_CHUNK;
            int j = (i + 1) % N_CHUNK, l = (i + 2) % N_CHUNK;
            int want = (int)(((a[i] + a[j] + a[l]) / 3.0f + (b[i] + b[j] + b[l]) / 3.0f) / 2);
            int got = host_c[k * N_CHUNK + i];
            if (abs(got - want) > 1) bad++;
            want_sum += got;
        }
    if (host_sum != want_sum) bad++;

    for (int s = 0; s < 2; s++) {
        cudaFree(dev_a[s]); cudaFree(dev_b[s]);
        HANDLE_ERROR(cudaStreamDestroy(stream[s]));
        HANDLE_ERROR(cudaEventDestroy(done[s]));
    }
    cudaFree(dev_c); cudaFree(dev_sum);
    HANDLE_ERROR(cudaFreeHost(host_a));
    HANDLE_ERROR(cudaFreeHost(host_b));
    HANDLE_ERROR(cudaFreeHost(host_c));
    HANDLE_ERROR(cudaEventDestroy(start));
    HANDLE_ERROR(cudaEventDestroy(stop));
    printf("streams_events: %s, %d bad\n", elapsedTime >= 0 ? "timed" : "no time", bad);
    return bad ? 1 : 0;
}
