// Warp-level building blocks: shuffle scan, ballot compaction, match_any histogram, votes, sub-warp widths, reduce.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define FULL_MASK 0xffffffffu

__global__ void warp_scan(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int x = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        int y = __shfl_up_sync(FULL_MASK, x, d);
        if (lane >= d) x += y;
    }
    if (i < n) out[i] = x;
}

__global__ void warp_compact(const int *in, int n, int *out, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int keep = i < n && in[i] > 10;
    unsigned votes = __ballot_sync(FULL_MASK, keep);
    int leader = __ffs(votes) - 1;
    int base = 0;
    if (keep) {
        if (lane == leader) base = atomicAdd(count, __popc(votes));
        base = __shfl_sync(votes, base, leader);
        out[base + __popc(votes & ((1u << lane) - 1))] = in[i];
    }
}

__global__ void warp_histogram(const int *in, int n, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = __ballot_sync(FULL_MASK, i < n);
    if (i >= n) return;
    int bin = in[i] & 7;
    unsigned peers = __match_any_sync(mask, bin);
    if ((threadIdx.x & 31) == __ffs(peers) - 1) atomicAdd(&bins[bin], __popc(peers));
}

// out per warp: all, any, min, max, xor-butterfly sum of each group of 8, broadcast of each 16's last lane, uniform
__global__ void warp_votes(const int *in, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % warpSize;
    int v = in[i];
    int *o = out + (i / 32) * 8;
    int all = __all_sync(FULL_MASK, v >= 0), any = __any_sync(FULL_MASK, v == 17);
    int lo = __reduce_min_sync(FULL_MASK, v), hi = __reduce_max_sync(FULL_MASK, v);
    int s = v;
    for (int m = 4; m; m >>= 1) s += __shfl_xor_sync(FULL_MASK, s, m, 8);
    int last = __shfl_sync(FULL_MASK, v, 15, 16);
    int same;
    __match_all_sync(FULL_MASK, v / 1000, &same);
    int total = __reduce_add_sync(FULL_MASK, v);
    if (lane == 8) { o[0] = all; o[1] = any; o[2] = lo; o[3] = hi; }
    if (lane == 16) { o[4] = s; o[5] = last; o[6] = same; o[7] = total; }
}

int main()
{
    const int n = 500, padded = 512;
    std::vector<int> h(padded);
    for (int i = 0; i < padded; ++i) h[i] = (i * 29) % 41;
    int *in, *out, *small;
    cudaMalloc((void **)&in, padded * sizeof(int));
    cudaMalloc((void **)&out, padded * sizeof(int));
    cudaMalloc((void **)&small, 9 * sizeof(int));
    cudaMemset(small, 0, 9 * sizeof(int));
    cudaMemcpy(in, h.data(), padded * sizeof(int), cudaMemcpyHostToDevice);
    std::vector<int> got(padded);
    int bad = 0;

    warp_scan<<<4, 128>>>(in, out, n);
    cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; ++i) {
        sum = i % 32 ? sum + h[i] : h[i];
        bad += got[i] != sum;
    }

    warp_compact<<<8, 64>>>(in, n, out, small);
    int count = 0, want = 0;
    long long sum = 0, wantSum = 0;
    cudaMemcpy(&count, small, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(got.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) if (h[i] > 10) { ++want; wantSum += h[i]; }
    for (int i = 0; i < count; ++i) sum += got[i];
    bad += count != want || sum != wantSum;

    warp_histogram<<<6, 96>>>(in, n, small + 1);
    int bins[8], ref[8] = {0};
    cudaMemcpy(bins, small + 1, sizeof(bins), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) ref[h[i] & 7]++;
    for (int b = 0; b < 8; ++b) bad += bins[b] != ref[b];

    warp_votes<<<2, 64>>>(in, out);
    cudaMemcpy(got.data(), out, 4 * 8 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int w = 0; w < 4; ++w) {
        const int *v = &h[w * 32], *o = &got[w * 8];
        int any = 0, lo = v[0], hi = v[0], total = 0, eight = 0;
        for (int l = 0; l < 32; ++l) {
            any |= v[l] == 17;
            lo = v[l] < lo ? v[l] : lo;
            hi = v[l] > hi ? v[l] : hi;
            total += v[l];
            if (l / 8 == 2) eight += v[l];
        }
        bad += o[0] != 1 || o[1] != any || o[2] != lo || o[3] != hi || o[4] != eight || o[5] != v[31] || o[6] != 1 ||
               o[7] != total;
    }
    cudaFree(in); cudaFree(out); cudaFree(small);
    printf("warp_primitives: %s\n", bad ? "FAILED" : "ok");
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}
