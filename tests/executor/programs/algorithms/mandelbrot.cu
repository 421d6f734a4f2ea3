// Mandelbrot set as an RGBA picture, one thread per pixel, checked pixel by pixel.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

struct cuComplexF {
    float r, i;
    __host__ __device__ cuComplexF(float a, float b) : r(a), i(b) {}
    __host__ __device__ float magnitude2() const { return r * r + i * i; }
    __host__ __device__ cuComplexF operator*(const cuComplexF &o) const { return cuComplexF(r * o.r - i * o.i, i * o.r + r * o.i); }
    __host__ __device__ cuComplexF operator+(const cuComplexF &o) const { return cuComplexF(r + o.r, i + o.i); }
};

__host__ __device__ int escape(int x, int y, int w, int h, int limit)
{
    // The step is a power of two: host and device then round alike on this grid.
    cuComplexF c((x - w / 2) * 0.03125f - 0.5f, (y - h / 2) * 0.03125f);
    cuComplexF z(0, 0);
    int k = 0;
    while (k < limit && z.magnitude2() < 4.0f) {
        z = z * z + c;
        ++k;
    }
    return k;
}

__host__ __device__ uchar4 colour(int k, int limit)
{
    return k == limit ? make_uchar4(0, 0, 0, 255)
                      : make_uchar4((unsigned char)(k * 9), (unsigned char)(k * 5), (unsigned char)(255 - k), 255);
}

__global__ void mandelbrot(uchar4 *image, int w, int h, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h) return;
    image[y * w + x] = colour(escape(x, y, w, h, limit), limit);
}

int main()
{
    const int w = 97, h = 61, limit = 40;
    uchar4 *d, *img = (uchar4 *)malloc(w * h * sizeof(uchar4));
    if (cudaMalloc((void **)&d, w * h * sizeof(uchar4)) != cudaSuccess) return 2;
    dim3 threads(16, 16);
    dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
    mandelbrot<<<blocks, threads>>>(d, w, h, limit);
    if (cudaMemcpy(img, d, w * h * sizeof(uchar4), cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
    cudaFree(d);

    int differ = 0, inside = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            uchar4 want = colour(escape(x, y, w, h, limit), limit), got = img[y * w + x];
            if (want.x != got.x || want.y != got.y || want.z != got.z || want.w != got.w) differ++;
            inside += got.x == 0 && got.y == 0 && got.z == 0;
        }
    free(img);
    // Fused multiply-adds may change a pixel or two at the boundary of the set.
    printf("mandelbrot: %d inside, %d differ\n", inside, differ);
    return differ <= w * h / 100 && inside > 500 ? 0 : 1;
}
