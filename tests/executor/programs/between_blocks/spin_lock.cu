// A lock around plain data: one thread per block takes it, with fences on both sides; also a ticket lock.
#include <cstdio>

struct Lock {
    int *mutex;
    Lock() {
        int state = 0;
        cudaMalloc((void **)&mutex, sizeof(int));
        cudaMemcpy(mutex, &state, sizeof(int), cudaMemcpyHostToDevice);
    }
    void destroy() { cudaFree(mutex); }
    __device__ void lock() {
        while (atomicCAS(mutex, 0, 1) != 0)
            ;
        __threadfence();
    }
    __device__ void unlock() {
        __threadfence();
        atomicExch(mutex, 0);
    }
};

struct TicketLock {
    unsigned next;
    unsigned serving;
};

__device__ void acquire(TicketLock *l)
{
    unsigned mine = atomicAdd(&l->next, 1u);
    while (atomicAdd(&l->serving, 0u) != mine)
        __nanosleep(20);
    __threadfence();
}

__device__ void release(TicketLock *l)
{
    __threadfence();
    atomicAdd(&l->serving, 1u);
}

struct Stats {
    int count;
    float smallest;
    float largest;
    double sum;
};

__global__ void collect(Lock lock, const float *x, int n, Stats *stats)
{
    __shared__ float lo[64], hi[64];
    __shared__ double sum[64];
    int t = threadIdx.x;
    float mn = 1e30f, mx = -1e30f;
    double s = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) {
        mn = fminf(mn, x[i]);
        mx = fmaxf(mx, x[i]);
        s += x[i];
    }
    lo[t] = mn; hi[t] = mx; sum[t] = s;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < blockDim.x; k++) {
            mn = fminf(mn, lo[k]);
            mx = fmaxf(mx, hi[k]);
            s += sum[k];
        }
        lock.lock();
        stats->count += 1;
        stats->smallest = fminf(stats->smallest, mn);
        stats->largest = fmaxf(stats->largest, mx);
        stats->sum += s;
        lock.unlock();
    }
}

__global__ void append(TicketLock *lock, int *log, int *length)
{
    if (threadIdx.x == 0) {
        acquire(lock);
        log[*length] = blockIdx.x;
        *length = *length + 1;
        release(lock);
    }
}

int main()
{
    const int n = 3333, blocks = 13;
    float *h = new float[n], *d;
    double want = 0;
    for (int i = 0; i < n; i++) want += h[i] = (float)((i * 101) % 997);
    Stats init = {0, 1e30f, -1e30f, 0}, *stats, got;
    cudaMalloc((void **)&d, n * sizeof(float));
    cudaMalloc((void **)&stats, sizeof(Stats));
    cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(stats, &init, sizeof(Stats), cudaMemcpyHostToDevice);
    Lock lock;
    collect<<<blocks, 64>>>(lock, d, n, stats);
    cudaMemcpy(&got, stats, sizeof(Stats), cudaMemcpyDeviceToHost);
    bool ok = got.count == blocks && got.smallest == 0 && got.largest == 996 && got.sum == want;

    TicketLock *ticket;
    int *log, *length, host_log[blocks], seen = 0;
    cudaMalloc((void **)&ticket, sizeof(TicketLock));
    cudaMalloc((void **)&log, blocks * sizeof(int));
    cudaMalloc((void **)&length, sizeof(int));
    cudaMemset(ticket, 0, sizeof(TicketLock));
    cudaMemset(length, 0, sizeof(int));
    append<<<blocks, 32>>>(ticket, log, length);
    cudaMemcpy(host_log, log, sizeof(host_log), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; i++) seen |= 1 << host_log[i];
    ok = ok && seen == (1 << blocks) - 1;
    printf("spin_lock: %d blocks, sum %.0f, %s\n", got.count, got.sum, ok ? "ok" : "WRONG");
    lock.destroy();
    cudaFree(d); cudaFree(stats); cudaFree(ticket); cudaFree(log); cudaFree(length);
    delete[] h;
    return ok ? 0 : 1;
}
