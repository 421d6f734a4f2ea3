// Blocks that communicate while they run, on all cores: a histogram, locks, decoupled look-back, a last-block reduction,
// and blocks that wait for blocks that start later, with atomics and with volatile flags.
// Each round repeats everything, because such errors are intermittent.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int THREADS = 64;
static int failures = 0;

static void expect(bool is_right, const char *what, int round)
{
    if (is_right) return;
    printf("%s is wrong in round %d\n", what, round);
    ++failures;
}

__global__ void histogram(const unsigned *in, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] % 16], 1u);
}

// Plain data protected by a lock that the first thread of each block takes; all threads of the block work on it.
__global__ void locked(int *mutex, unsigned *data)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(mutex, 0, 1) != 0) { }
        __threadfence();
    }
    __syncthreads();
    data[threadIdx.x] = data[threadIdx.x] * 3 + 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(mutex, 0);
}

__global__ void total(const unsigned *in, int n, unsigned *partial, unsigned *done, unsigned *out)
{
    __shared__ unsigned sums[THREADS];
    __shared__ bool is_last;
    unsigned sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sums[0];
        __threadfence();
        is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!is_last || threadIdx.x != 0) return;
    __threadfence();
    for (unsigned b = 0; b < gridDim.x; ++b) *out += partial[b];
}

// Single-pass prefix sum: status and value in one word. Status 1: the tile's own sum; 2: its inclusive prefix.
__global__ void look_back(const unsigned *in, unsigned *out, unsigned long long *state, unsigned *ticket)
{
    __shared__ unsigned tile, before, values[THREADS];
    if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
    __syncthreads();
    const unsigned i = tile * THREADS + threadIdx.x;
    values[threadIdx.x] = in[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int t = 0; t < THREADS; ++t) sum += values[t];
        atomicExch(&state[tile], (1ull << 32) | sum);
        before = 0;
        for (int at = int(tile) - 1; at >= 0;) {
            const unsigned long long seen = atomicAdd(&state[at], 0ull);
            if (seen >> 32 == 0) continue;
            before += unsigned(seen);
            at = seen >> 32 == 2 ? -1 : at - 1;
        }
        atomicExch(&state[tile], (2ull << 32) | (before + sum));
    }
    __syncthreads();
    unsigned sum = before;
    for (unsigned t = 0; t <= threadIdx.x; ++t) sum += values[t];
    out[i] = sum;
}

// Each block waits for the next one, so the block that starts last finishes first.
__global__ void backwards(unsigned *ready, unsigned *mail, unsigned *out)
{
    __shared__ unsigned kept;  // a suspended block keeps its shared memory
    if (threadIdx.x == 0) kept = blockIdx.x * 7 + 1;
    __syncthreads();
    if (blockIdx.x + 1 < gridDim.x) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&ready[blockIdx.x + 1], 0u) == 0) { }
            __threadfence();
        }
        __syncthreads();
        mail[blockIdx.x * THREADS + threadIdx.x] = mail[(blockIdx.x + 1) * THREADS + threadIdx.x] * 5 + kept;
    } else {
        mail[blockIdx.x * THREADS + threadIdx.x] = threadIdx.x;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(&ready[blockIdx.x], 1u);
    if (blockIdx.x == 0) out[threadIdx.x] = mail[threadIdx.x];
}

// The same through a volatile flag, in the other direction.
__global__ void relay(volatile unsigned *ready, unsigned *mail, unsigned *out)
{
    unsigned value = threadIdx.x;
    if (blockIdx.x > 0) {
        if (threadIdx.x == 0) {
            while (ready[blockIdx.x - 1] == 0) { }
            __threadfence();
        }
        __syncthreads();
        value = mail[(blockIdx.x - 1) * THREADS + threadIdx.x] * 5 + blockIdx.x;
    }
    mail[blockIdx.x * THREADS + threadIdx.x] = value;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) ready[blockIdx.x] = 1;
    if (blockIdx.x + 1 == gridDim.x) out[threadIdx.x] = value;
}

template <class T>
static std::vector<T> back(const T *device, size_t n)
{
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    return host;
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 4, n_blocks = 24, n = n_blocks * THREADS;
    std::vector<unsigned> in(n), bins(16), sums(n), chain(THREADS), relayed(THREADS), locks(THREADS);
    for (int i = 0; i < n; ++i) in[i] = unsigned(i) * 2654435761u >> 7;
    unsigned all = 0;
    for (int i = 0; i < n; ++i) ++bins[in[i] % 16], sums[i] = all += in[i];
    for (int t = 0; t < THREADS; ++t) {
        chain[t] = relayed[t] = t;
        for (int b = n_blocks - 2; b >= 0; --b) chain[t] = chain[t] * 5 + b * 7 + 1;
        for (int b = 1; b < n_blocks; ++b) relayed[t] = relayed[t] * 5 + b;
        for (int b = 0; b < n_blocks; ++b) locks[t] = locks[t] * 3 + 1;
    }
    struct Memory {  // zero at the start of a round
        unsigned long long state[24];
        unsigned bins[16], data[THREADS], partial[24], ready[24], flags[24], mail[24 * THREADS], relayed[24 * THREADS];
        unsigned sums[24 * THREADS], chain[THREADS], relay[THREADS], done, total, ticket;
        int mutex;
    } *d;
    unsigned *d_in;
    cudaMalloc(&d, sizeof *d);
    cudaMalloc(&d_in, n * sizeof(unsigned));
    cudaMemcpy(d_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    for (int round = 0; round < rounds; ++round) {
        cudaMemset(d, 0, sizeof *d);
        histogram<<<n_blocks / 2, THREADS>>>(d_in, n, d->bins);
        locked<<<n_blocks, THREADS>>>(&d->mutex, d->data);
        total<<<n_blocks, THREADS>>>(d_in, n, d->partial, &d->done, &d->total);
        look_back<<<n_blocks, THREADS>>>(d_in, d->sums, d->state, &d->ticket);
        backwards<<<n_blocks, THREADS>>>(d->ready, d->mail, d->chain);
        relay<<<n_blocks, THREADS>>>(d->flags, d->relayed, d->relay);
        if (cudaDeviceSynchronize() != cudaSuccess) return 2;
        expect(back(d->bins, 16) == bins, "the histogram", round);
        expect(back(d->data, THREADS) == locks, "what the lock guards", round);
        expect(back(&d->total, 1)[0] == all, "the last block's total", round);
        expect(back(d->sums, n) == sums, "the prefix sum", round);
        expect(back(d->chain, THREADS) == chain, "the chain of later blocks", round);
        expect(back(d->relay, THREADS) == relayed, "the relay", round);
    }
    cudaFree(d);
    cudaFree(d_in);
    printf("communicating_blocks: %s\n", failures == 0 ? "ok" : "WRONG");
    return failures == 0 ? 0 : 1;
}
