// Exclusive prefix sum: Blelloch's up- and down-sweep per block, block sums scanned recursively, offsets added.
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128
#define ELEMENTS (2 * BLOCK)
#define NUM_BANKS 32
#define CONFLICT_FREE_OFFSET(n) ((n) / NUM_BANKS)

static void check(cudaError_t e, const char *what)
{
    if (e != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(e));
        exit(1);
    }
}

__global__ void block_scan(const int *in, int *out, int *sums, int n)
{
    __shared__ int temp[ELEMENTS + ELEMENTS / NUM_BANKS];
    int t = threadIdx.x;
    int base = blockIdx.x * ELEMENTS;
    int ai = t, bi = t + BLOCK;
    int oa = CONFLICT_FREE_OFFSET(ai), ob = CONFLICT_FREE_OFFSET(bi);

    temp[ai + oa] = base + ai < n ? in[base + ai] : 0;
    temp[bi + ob] = base + bi < n ? in[base + bi] : 0;

    int offset = 1;
    for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        int last = ELEMENTS - 1 + CONFLICT_FREE_OFFSET(ELEMENTS - 1);
        if (sums) sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < ELEMENTS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            int v = temp[a];
            temp[a] = temp[b];
            temp[b] += v;
        }
    }
    __syncthreads();
    if (base + ai < n) out[base + ai] = temp[ai + oa];
    if (base + bi < n) out[base + bi] = temp[bi + ob];
}

__global__ void add_offsets(int *out, const int *offsets, int n)
{
    int i = blockIdx.x * ELEMENTS + threadIdx.x;
    int add = offsets[blockIdx.x];
    if (i < n) out[i] += add;
    if (i + BLOCK < n) out[i + BLOCK] += add;
}

static void scan(const int *in, int *out, int n)
{
    int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    if (blocks == 1) {
        block_scan<<<1, BLOCK>>>(in, out, NULL, n);
        check(cudaGetLastError(), "block_scan");
        return;
    }
    int *sums, *offsets;
    check(cudaMalloc((void **)&sums, blocks * sizeof(int)), "malloc sums");
    check(cudaMalloc((void **)&offsets, blocks * sizeof(int)), "malloc offsets");
    block_scan<<<blocks, BLOCK>>>(in, out, sums, n);
    scan(sums, offsets, blocks);
    add_offsets<<<blocks, BLOCK>>>(out, offsets, n);
    check(cudaDeviceSynchronize(), "scan");
    cudaFree(sums);
    cudaFree(offsets);
}

int main()
{
    int sizes[] = {1, 200, 256, 257, 5000, 66003};
    for (int s = 0; s < (int)(sizeof(sizes) / sizeof(sizes[0])); s++) {
        int n = sizes[s];
        int *h = (int *)malloc(n * sizeof(int)), *r = (int *)malloc(n * sizeof(int));
        for (int i = 0; i < n; i++) h[i] = (i * 7919) % 23 - 4;
        int *in, *out;
        check(cudaMalloc((void **)&in, n * sizeof(int)), "malloc in");
        check(cudaMalloc((void **)&out, n * sizeof(int)), "malloc out");
        check(cudaMemcpy(in, h, n * sizeof(int), cudaMemcpyHostToDevice), "copy in");
        scan(in, out, n);
        check(cudaMemcpy(r, out, n * sizeof(int), cudaMemcpyDeviceToHost), "copy out");
        int sum = 0;
        for (int i = 0; i < n; i++) {
            if (r[i] != sum) {
                printf("scan of %d: wrong at %d: %d instead of %d\n", n, i, r[i], sum);
                return 1;
            }
            sum += h[i];
        }
        cudaFree(in); cudaFree(out); free(h); free(r);
    }
    printf("scan_blelloch: all sizes right\n");
    return 0;
}
