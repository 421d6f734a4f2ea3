// 3-D memory: cudaMalloc3D, cudaMemcpy3D with extents and offsets, cudaMemset3D, a 3-D grid over a pitched volume.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int errors = 0;
#define OK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
        printf("%s: %s\n", #call, cudaGetErrorString(e_)); errors++; } } while (0)

__global__ void shift_and_add(cudaPitchedPtr in, cudaPitchedPtr out, cudaExtent e, int nx)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= e.height || z >= e.depth) return;
    size_t slice = in.pitch * e.height;
    const int *from = (const int *)((const char *)in.ptr + z * slice + y * in.pitch);
    int *to = (int *)((char *)out.ptr + ((z + 1) % e.depth) * (out.pitch * e.height) + y * out.pitch);
    to[x] += from[x];
}

int main(void)
{
    const int nx = 21, ny = 10, nz = 7;
    int *h = (int *)malloc(nx * ny * nz * sizeof(int)), *r = (int *)malloc(nx * ny * nz * sizeof(int));
    for (int i = 0; i < nx * ny * nz; i++) h[i] = i * 5;

    cudaExtent extent = make_cudaExtent(nx * sizeof(int), ny, nz);
    cudaPitchedPtr in, out;
    OK(cudaMalloc3D(&in, extent));
    OK(cudaMalloc3D(&out, extent));
    OK(cudaMemset3D(out, 0, extent));

    cudaMemcpy3DParms p;
    memset(&p, 0, sizeof(p));
    p.srcPtr = make_cudaPitchedPtr(h, nx * sizeof(int), nx, ny);
    p.dstPtr = in;
    p.extent = extent;
    p.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&p));

    dim3 block(8, 4, 2);
    dim3 grid((nx + 7) / 8, (ny + 3) / 4, (nz + 1) / 2);
    shift_and_add<<<grid, block>>>(in, out, extent, nx);
    OK(cudaGetLastError());

    cudaMemcpy3DParms back = {0};
    back.srcPtr = out;
    back.dstPtr = make_cudaPitchedPtr(r, nx * sizeof(int), nx, ny);
    back.extent = extent;
    back.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&back));
    int bad = 0;
    for (int z = 0; z < nz; z++)
        for (int i = 0; i < nx * ny; i++) bad += r[(z + 1) % nz * nx * ny + i] != h[z * nx * ny + i];

    /* a box of 5 x 3 x 2 cells from (4, 2, 1) of the volume */
    int box[2][3][5];
    cudaMemcpy3DParms part = {0};
    part.srcPtr = in;
    part.srcPos = make_cudaPos(4 * sizeof(int), 2, 1);
    part.dstPtr = make_cudaPitchedPtr(box, 5 * sizeof(int), 5, 3);
    part.extent = make_cudaExtent(5 * sizeof(int), 3, 2);
    part.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&part));
    for (int z = 0; z < 2; z++)
        for (int y = 0; y < 3; y++)
            for (int x = 0; x < 5; x++) bad += box[z][y][x] != h[((z + 1) * ny + y + 2) * nx + x + 4];

    OK(cudaFree(in.ptr));
    OK(cudaFree(out.ptr));
    free(h);
    free(r);
    printf("volume_3d: %d bad, %d errors\n", bad, errors);
    return bad || errors;
}
