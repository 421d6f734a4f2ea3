/* Matrix product, both tiles carved out of one dynamic shared array; tile size chosen at run time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int width;
    int height;
    double *elements;
} Matrix;

extern __shared__ double tiles[];

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C, int tile)
{
    double *As = tiles;
    double *Bs = tiles + tile * tile;
    int row = blockIdx.y * tile + threadIdx.y;
    int col = blockIdx.x * tile + threadIdx.x;
    double acc = 0.0;
    int steps = (A.width + tile - 1) / tile;

    for (int s = 0; s < steps; s++) {
        int ka = s * tile + threadIdx.x;
        int kb = s * tile + threadIdx.y;
        As[threadIdx.y * tile + threadIdx.x] = (row < A.height && ka < A.width) ? A.elements[row * A.width + ka] : 0.0;
        Bs[threadIdx.y * tile + threadIdx.x] = (kb < B.height && col < B.width) ? B.elements[kb * B.width + col] : 0.0;
        __syncthreads();
        for (int k = 0; k < tile; k++)
            acc += As[threadIdx.y * tile + k] * Bs[k * tile + threadIdx.x];
        __syncthreads();
    }
    if (row < C.height && col < C.width)
        C.elements[row * C.width + col] = acc;
}

static Matrix deviceMatrix(Matrix host, int copy)
{
    Matrix d;
    size_t size = host.width * host.height * sizeof(double);
    d.width = host.width;
    d.height = host.height;
    if (cudaMalloc((void**)&d.elements, size) != cudaSuccess) {
        printf("cudaMalloc failed\n");
        exit(1);
    }
    if (copy)
        cudaMemcpy(d.elements, host.elements, size, cudaMemcpyHostToDevice);
    return d;
}

static Matrix hostMatrix(int height, int width, int seed)
{
    Matrix m;
    m.width = width;
    m.height = height;
    m.elements = (double*)malloc(width * height * sizeof(double));
    for (int i = 0; i < width * height; i++)
        m.elements[i] = ((i * 37 + seed) % 101) / 10.0;
    return m;
}

int main(int argc, char **argv)
{
    int tile = argc > 1 ? atoi(argv[1]) : 12;
    Matrix A = hostMatrix(41, 29, 3), B = hostMatrix(29, 50, 7), C = hostMatrix(41, 50, 0);
    Matrix dA = deviceMatrix(A, 1), dB = deviceMatrix(B, 1), dC = deviceMatrix(C, 0);

    dim3 dimBlock(tile, tile);
    dim3 dimGrid((B.width + tile - 1) / tile, (A.height + tile - 1) / tile);
    size_t bytes = 2 * tile * tile * sizeof(double);
    MatMulKernel<<<dimGrid, dimBlock, bytes>>>(dA, dB, dC, tile);
    if (cudaGetLastError() != cudaSuccess) return 1;
    cudaMemcpy(C.elements, dC.elements, C.width * C.height * sizeof(double), cudaMemcpyDeviceToHost);

    int bad = 0;
    for (int i = 0; i < C.height; i++)
        for (int j = 0; j < C.width; j++) {
            double want = 0;
            for (int k = 0; k < A.width; k++)
                want += A.elements[i * A.width + k] * B.elements[k * B.width + j];
            double diff = want - C.elements[i * C.width + j];
            if (!(diff < 1e-9 && diff > -1e-9)) bad++;
        }
    printf("matmul with %zu bytes of dynamic shared memory: %s\n", bytes, bad ? "FAIL" : "ok");
    cudaFree(dA.elements); cudaFree(dB.elements); cudaFree(dC.elements);
    free(A.elements); free(B.elements); free(C.elements);
    return bad ? 1 : 0;
}
