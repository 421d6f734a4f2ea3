// A waiting thread keeps its register values: integers, floats, doubles and vectors, more of them than a CPU has
// registers, in loops, in functions that are not inlined, behind variable-length arrays, and in diverged
// lanes. Every value depends on the thread, so that a lost or swapped value is detected.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int THREADS = 192, BLOCKS = 3, ROUNDS = 7;

__host__ __device__ inline unsigned mixed(unsigned x)
{
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return x;
}

// 24 integers, 24 floats and 16 doubles live across shuffles and barriers.
__global__ void many(unsigned seed, unsigned *integers, float *floats, double *doubles)
{
    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
    unsigned u[24];
    float f[24];
    double d[16];
#pragma unroll
    for (int i = 0; i < 24; ++i) u[i] = mixed(seed + me * 64 + i), f[i] = (float)(u[i] % 1000);
#pragma unroll
    for (int i = 0; i < 16; ++i) d[i] = (double)(u[i] % 4096);
    for (int round = 0; round < ROUNDS; ++round) {
#pragma unroll
        for (int i = 0; i < 24; ++i) u[i] += __shfl_sync(0xffffffffu, u[(i + 1) % 24], (lane + i) % 32);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 24; ++i) f[i] = f[(i + 5) % 24] * 0.5f + (float)(u[i] % 64);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < 16; ++i) d[i] = d[(i + 3) % 16] * 0.5 + (double)__shfl_xor_sync(0xffffffffu, f[i], 1 << (i % 5));
    }
    unsigned all = 0;
    float sum = 0;
    double total = 0;
    for (int i = 0; i < 24; ++i) all = all * 31 + u[i], sum += f[i];
    for (int i = 0; i < 16; ++i) total += d[i];
    integers[me] = all, floats[me] = sum, doubles[me] = total;
}

static void many_on_the_host(unsigned seed, int block, unsigned *integers, float *floats, double *doubles)
{
    static unsigned u[THREADS][24], next_u[THREADS][24];
    static float f[THREADS][24];
    static double d[THREADS][16];
    for (int t = 0; t < THREADS; ++t) {
        for (int i = 0; i < 24; ++i) u[t][i] = mixed(seed + (block * THREADS + t) * 64 + i), f[t][i] = (float)(u[t][i] % 1000);
        for (int i = 0; i < 16; ++i) d[t][i] = (double)(u[t][i] % 4096);
    }
    for (int round = 0; round < ROUNDS; ++round) {
        for (int i = 0; i < 24; ++i) {  // one shuffle after the other, in the threads' order
            for (int t = 0; t < THREADS; ++t) next_u[t][i] = u[t][i] + u[t / 32 * 32 + (t % 32 + i) % 32][(i + 1) % 24];
            for (int t = 0; t < THREADS; ++t) u[t][i] = next_u[t][i];
        }
        for (int t = 0; t < THREADS; ++t) {
            for (int i = 0; i < 24; ++i) f[t][i] = f[t][(i + 5) % 24] * 0.5f + (float)(u[t][i] % 64);
        }
        for (int t = 0; t < THREADS; ++t) {
            for (int i = 0; i < 16; ++i) d[t][i] = d[t][(i + 3) % 16] * 0.5 + (double)f[t ^ (1 << (i % 5))][i];
        }
    }
    for (int t = 0; t < THREADS; ++t) {
        unsigned all = 0;
        float sum = 0;
        double total = 0;
        for (int i = 0; i < 24; ++i) all = all * 31 + u[t][i], sum += f[t][i];
        for (int i = 0; i < 16; ++i) total += d[t][i];
        integers[t] = all, floats[t] = sum, doubles[t] = total;
    }
}

// A function with a variable-length array, and a recursive one.
__device__ __noinline__ unsigned deeper(unsigned x, int depth)
{
    const unsigned before = mixed(x + depth);
    const unsigned met = __shfl_down_sync(0xffffffffu, before, 1);
    if (depth == 0) return before + met;
    const unsigned inner = deeper(met, depth - 1);
    __syncwarp();
    return before * 3 + inner;
}

__device__ __noinline__ float4 turned(float4 v, int n)
{
    unsigned *scratch = (unsigned *)__builtin_alloca(n * sizeof(unsigned));
    for (int i = 0; i < n; ++i) scratch[i] = mixed(threadIdx.x * n + i) % 256;
    for (int i = 0; i < n; ++i) {
        v.x += (float)__shfl_up_sync(0xffffffffu, scratch[i], 1);
        v.y += (float)scratch[n - 1 - i];
        v.z += (float)__popc(__ballot_sync(0xffffffffu, scratch[i] & 1));
        v.w += 1;
    }
    return v;
}

// Even and odd lanes synchronise separately.
__global__ void apart(int n, unsigned *integers, float4 *vectors)
{
    const int me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mine = deeper(me, 4);
    if (threadIdx.x % 2) {
        for (int i = 0; i < n; ++i) mine += __shfl_xor_sync(0xaaaaaaaau, mine, 2);
    } else {
        for (int i = 0; i < 2 * n; ++i) mine ^= __shfl_xor_sync(0x55555555u, mine, 4) * 5;
    }
    integers[me] = mine;
    vectors[me] = turned(make_float4(me, 2, 3, 4), n);
}

static unsigned deeper_on_the_host(const unsigned *x, int lane, int depth)
{
    unsigned before[32], met[32];
    for (int i = 0; i < 32; ++i) before[i] = mixed(x[i] + depth);
    for (int i = 0; i < 32; ++i) met[i] = before[i < 31 ? i + 1 : i];
    return depth == 0 ? before[lane] + met[lane] : before[lane] * 3 + deeper_on_the_host(met, lane, depth - 1);
}

static int failures = 0;
static void expect(bool is_right, const char *what, int thread)
{
    if (!is_right && failures++ < 10) printf("%s of thread %d is wrong\n", what, thread);
}

static void check_many(unsigned seed)
{
    const int n = THREADS * BLOCKS;
    unsigned *integers;
    float *floats;
    double *doubles;
    cudaMallocManaged(&integers, n * sizeof(unsigned));
    cudaMallocManaged(&floats, n * sizeof(float));
    cudaMallocManaged(&doubles, n * sizeof(double));
    many<<<BLOCKS, THREADS>>>(seed, integers, floats, doubles);
    cudaDeviceSynchronize();
    for (int block = 0; block < BLOCKS; ++block) {
        std::vector<unsigned> u(THREADS);
        std::vector<float> f(THREADS);
        std::vector<double> d(THREADS);
        many_on_the_host(seed, block, u.data(), f.data(), d.data());
        for (int t = 0; t < THREADS; ++t) {
            const int at = block * THREADS + t;
            expect(integers[at] == u[t], "an integer", at);
            expect(floats[at] == f[t], "a float", at);
            expect(doubles[at] == d[t], "a double", at);
        }
    }
    cudaFree(integers), cudaFree(floats), cudaFree(doubles);
}

static void check_apart(int n_turns)
{
    unsigned *integers;
    float4 *vectors;
    cudaMallocManaged(&integers, THREADS * sizeof(unsigned));
    cudaMallocManaged(&vectors, THREADS * sizeof(float4));
    apart<<<1, THREADS>>>(n_turns, integers, vectors);
    cudaDeviceSynchronize();
    for (int warp = 0; warp < THREADS / 32; ++warp) {
        unsigned x[32], mine[32];
        for (int i = 0; i < 32; ++i) x[i] = warp * 32 + i;
        for (int i = 0; i < 32; ++i) mine[i] = deeper_on_the_host(x, i, 4);
        for (int turn = 0; turn < 2 * n_turns; ++turn) {
            unsigned before[32];
            for (int i = 0; i < 32; ++i) before[i] = mine[i];
            for (int i = 0; i < 32; ++i) {
                if (i % 2 && turn < n_turns) mine[i] += before[i ^ 2];
                if (i % 2 == 0) mine[i] ^= before[i ^ 4] * 5;
            }
        }
        for (int i = 0; i < 32; ++i) {
            const int t = warp * 32 + i;
            expect(integers[t] == mine[i], "an integer apart", t);
            float4 v = make_float4(t, 2, 3, 4);
            for (int k = 0; k < n_turns; ++k) {
                const auto scratch = [&](int thread, int at) { return mixed(thread * n_turns + at) % 256; };
                int odd = 0;
                for (int other = 0; other < 32; ++other) odd += scratch(warp * 32 + other, k) & 1;
                v.x += (float)scratch(i > 0 ? t - 1 : t, k), v.y += (float)scratch(t, n_turns - 1 - k), v.z += (float)odd, v.w += 1;
            }
            expect(vectors[t].x == v.x && vectors[t].y == v.y && vectors[t].z == v.z && vectors[t].w == v.w, "a vector", t);
        }
    }
    cudaFree(integers), cudaFree(vectors);
}

int main()
{
    for (unsigned seed = 1; seed < 4; ++seed) check_many(seed);
    for (int n_turns = 1; n_turns < 6; ++n_turns) check_apart(n_turns);
    printf("kept_registers: %s\n", failures == 0 ? "ok" : "WRONG");
    return failures != 0;
}
