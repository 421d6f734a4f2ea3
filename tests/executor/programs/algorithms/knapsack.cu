/* 0/1 knapsack: one launch per item over two rows of the table, and the choice bits for the way back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 24
#define CAPACITY 997

struct item { int weight; int value; };

__constant__ struct item items[ITEMS];

__global__ void knapsack_row(const int *prev, int *cur, unsigned int *choice, int k, int capacity)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int take = 0;
    if (c <= capacity) {
        struct item it = items[k];
        int best = prev[c];
        if (c >= it.weight) {
            int with = prev[c - it.weight] + it.value;
            if (with > best) {
                best = with;
                take = 1;
            }
        }
        cur[c] = best;
    }
    unsigned int word = __ballot_sync(0xffffffff, take);
    if (threadIdx.x % 32 == 0 && c <= capacity)
        choice[k * (capacity / 32 + 1) + c / 32] = word;
}

int main()
{
    struct item h[ITEMS];
    for (int i = 0; i < ITEMS; i++) {
        h[i].weight = 20 + (i * 37) % 61;
        h[i].value = 10 + (i * 53) % 89;
    }
    int words = CAPACITY / 32 + 1;
    int *row[2];
    unsigned int *choice, *h_choice = (unsigned int *)malloc(ITEMS * words * sizeof(unsigned int));
    cudaMemcpyToSymbol(items, h, sizeof(h));
    cudaMalloc((void **)&row[0], (CAPACITY + 1) * sizeof(int));
    cudaMalloc((void **)&row[1], (CAPACITY + 1) * sizeof(int));
    cudaMalloc((void **)&choice, ITEMS * words * sizeof(unsigned int));
    cudaMemset(row[0], 0, (CAPACITY + 1) * sizeof(int));

    for (int k = 0; k < ITEMS; k++)
        knapsack_row<<<(CAPACITY + 1 + 127) / 128, 128>>>(row[k & 1], row[(k + 1) & 1], choice, k, CAPACITY);
    int best = -1;
    cudaMemcpy(&best, row[ITEMS & 1] + CAPACITY, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_choice, choice, ITEMS * words * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) return 2;

    int ref[CAPACITY + 1];
    memset(ref, 0, sizeof(ref));
    for (int k = 0; k < ITEMS; k++)
        for (int c = CAPACITY; c >= h[k].weight; c--)
            if (ref[c - h[k].weight] + h[k].value > ref[c]) ref[c] = ref[c - h[k].weight] + h[k].value;

    int left = CAPACITY, value = 0;
    for (int k = ITEMS - 1; k >= 0; k--)
        if (h_choice[k * words + left / 32] >> (left % 32) & 1) {
            value += h[k].value;
            left -= h[k].weight;
        }
    cudaFree(row[0]); cudaFree(row[1]); cudaFree(choice);
    free(h_choice);
    printf("knapsack: best %d, reference %d, by choices %d\n", best, ref[CAPACITY], value);
    return best == ref[CAPACITY] && value == best && left >= 0 ? 0 : 1;
}
