// Explicit heat equation on a 3-D box with coefficients in constant memory and 3-D blocks.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define SAFE_CALL(f) \
    { cudaError_t rc = f; \
      if (rc != cudaSuccess) { printf("%s at line %d: %s\n", #f, __LINE__, cudaGetErrorString(rc)); exit(3); } }

typedef struct { int nx, ny, nz; } Extent;

__constant__ float coeff[4];     /* centre, x, y, z */
__constant__ Extent box;

__global__ void heat_step(const float *u, float *v)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= box.nx || y >= box.ny || z >= box.nz) return;
    int sx = 1, sy = box.nx, sz = box.nx * box.ny;
    int i = z * sz + y * sy + x;
    int border = x == 0 || y == 0 || z == 0 || x == box.nx - 1 || y == box.ny - 1 || z == box.nz - 1;
    if (border) {
        v[i] = u[i];
    } else {
        v[i] = coeff[0] * u[i]
             + coeff[1] * (u[i - sx] + u[i + sx])
             + coeff[2] * (u[i - sy] + u[i + sy])
             + coeff[3] * (u[i - sz] + u[i + sz]);
    }
}

static void heat_step_cpu(const float *u, float *v, Extent e, const float *c)
{
    int sy = e.nx, sz = e.nx * e.ny;
    for (int z = 0; z < e.nz; z++)
        for (int y = 0; y < e.ny; y++)
            for (int x = 0; x < e.nx; x++) {
                int i = z * sz + y * sy + x;
                if (x == 0 || y == 0 || z == 0 || x == e.nx - 1 || y == e.ny - 1 || z == e.nz - 1)
                    v[i] = u[i];
                else
                    v[i] = c[0] * u[i] + c[1] * (u[i - 1] + u[i + 1]) + c[2] * (u[i - sy] + u[i + sy]) +
                           c[3] * (u[i - sz] + u[i + sz]);
            }
}

int main(void)
{
    Extent e = {19, 14, 11};
    const float c[4] = {0.4f, 0.15f, 0.1f, 0.05f};
    int n = e.nx * e.ny * e.nz;
    float *u = (float *)calloc(n, sizeof(float)), *v = (float *)calloc(n, sizeof(float));
    float *got = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) u[i] = (i % 29) * 0.5f;

    float *d_u, *d_v;
    SAFE_CALL(cudaMalloc((void **)&d_u, n * sizeof(float)));
    SAFE_CALL(cudaMalloc((void **)&d_v, n * sizeof(float)));
    SAFE_CALL(cudaMemcpy(d_u, u, n * sizeof(float), cudaMemcpyHostToDevice));
    SAFE_CALL(cudaMemcpyToSymbol(coeff, c, sizeof(float)));
    SAFE_CALL(cudaMemcpyToSymbol(coeff, c + 1, 3 * sizeof(float), sizeof(float), cudaMemcpyHostToDevice));
    SAFE_CALL(cudaMemcpyToSymbol(box, &e, sizeof(e)));

    dim3 block(8, 4, 4);
    dim3 grid((e.nx + block.x - 1) / block.x, (e.ny + block.y - 1) / block.y, (e.nz + block.z - 1) / block.z);
    for (int step = 0; step < 6; step++) {
        heat_step<<<grid, block>>>(d_u, d_v);
        SAFE_CALL(cudaGetLastError());
        heat_step_cpu(u, v, e, c);
        float *t = d_u; d_u = d_v; d_v = t;
        t = u; u = v; v = t;
    }
    SAFE_CALL(cudaMemcpy(got, d_u, n * sizeof(float), cudaMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < n; i++)
        if (!(fabsf(got[i] - u[i]) < 1e-4f)) bad++;
    SAFE_CALL(cudaFree(d_u));
    SAFE_CALL(cudaFree(d_v));
    free(u); free(v); free(got);
    printf("heat_3d: %d cells, %d bad\n", n, bad);
    return bad != 0;
}
