// Separable convolution, radius 4: rows then columns, kernel weights in constant memory, halo in shared memory.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define KERNEL_RADIUS 4
#define KERNEL_LENGTH (2 * KERNEL_RADIUS + 1)
#define ROWS_BLOCKDIM_X 32
#define ROWS_BLOCKDIM_Y 4
#define COLUMNS_BLOCKDIM_X 16
#define COLUMNS_BLOCKDIM_Y 8

#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)
template <typename T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error at %s:%d code=%d \"%s\" \n", file, line, static_cast<unsigned int>(result), func);
        exit(EXIT_FAILURE);
    }
}

__constant__ float c_Kernel[KERNEL_LENGTH];

extern "C" void setConvolutionKernel(float *h_Kernel)
{
    checkCudaErrors(cudaMemcpyToSymbol(c_Kernel, h_Kernel, KERNEL_LENGTH * sizeof(float)));
}

__global__ void convolutionRowsKernel(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    __shared__ float s_Data[ROWS_BLOCKDIM_Y][ROWS_BLOCKDIM_X + 2 * KERNEL_RADIUS];
    const int x0 = blockIdx.x * ROWS_BLOCKDIM_X;
    const int y = blockIdx.y * ROWS_BLOCKDIM_Y + threadIdx.y;

    for (int i = threadIdx.x; i < ROWS_BLOCKDIM_X + 2 * KERNEL_RADIUS; i += ROWS_BLOCKDIM_X) {
        int x = x0 + i - KERNEL_RADIUS;
        s_Data[threadIdx.y][i] = (x >= 0 && x < imageW && y < imageH) ? d_Src[y * imageW + x] : 0;
    }
    __syncthreads();
    const int x = x0 + threadIdx.x;
    if (x < imageW && y < imageH) {
        float sum = 0;
#pragma unroll
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.y][threadIdx.x + KERNEL_RADIUS + j];
        d_Dst[y * imageW + x] = sum;
    }
}

__global__ void convolutionColumnsKernel(float *d_Dst, float *d_Src, int imageW, int imageH)
{
    __shared__ float s_Data[COLUMNS_BLOCKDIM_X][COLUMNS_BLOCKDIM_Y + 2 * KERNEL_RADIUS + 1];
    const int x = blockIdx.x * COLUMNS_BLOCKDIM_X + threadIdx.x;
    const int y0 = blockIdx.y * COLUMNS_BLOCKDIM_Y;

    for (int i = threadIdx.y; i < COLUMNS_BLOCKDIM_Y + 2 * KERNEL_RADIUS; i += COLUMNS_BLOCKDIM_Y) {
        int y = y0 + i - KERNEL_RADIUS;
        s_Data[threadIdx.x][i] = (x < imageW && y >= 0 && y < imageH) ? d_Src[y * imageW + x] : 0;
    }
    __syncthreads();
    const int y = y0 + threadIdx.y;
    if (x < imageW && y < imageH) {
        float sum = 0;
        for (int j = -KERNEL_RADIUS; j <= KERNEL_RADIUS; j++)
            sum += c_Kernel[KERNEL_RADIUS - j] * s_Data[threadIdx.x][threadIdx.y + KERNEL_RADIUS + j];
        d_Dst[y * imageW + x] = sum;
    }
}

int main()
{
    const int imageW = 83, imageH = 45, n = imageW * imageH;
    float h_Kernel[KERNEL_LENGTH];
    for (int i = 0; i < KERNEL_LENGTH; i++) h_Kernel[i] = (float)(1 + i) / 45.0f;
    float *src = (float *)malloc(n * sizeof(float)), *buf = (float *)malloc(n * sizeof(float));
    float *got = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) src[i] = (float)(i * 17 % 256);

    float *d_Src, *d_Buf, *d_Dst;
    checkCudaErrors(cudaMalloc((void **)&d_Src, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Buf, n * sizeof(float)));
    checkCudaErrors(cudaMalloc((void **)&d_Dst, n * sizeof(float)));
    setConvolutionKernel(h_Kernel);
    checkCudaErrors(cudaMemcpy(d_Src, src, n * sizeof(float), cudaMemcpyHostToDevice));
    dim3 rt(ROWS_BLOCKDIM_X, ROWS_BLOCKDIM_Y), ct(COLUMNS_BLOCKDIM_X, COLUMNS_BLOCKDIM_Y);
    convolutionRowsKernel<<<dim3((imageW + rt.x - 1) / rt.x, (imageH + rt.y - 1) / rt.y), rt>>>(d_Buf, d_Src, imageW, imageH);
    convolutionColumnsKernel<<<dim3((imageW + ct.x - 1) / ct.x, (imageH + ct.y - 1) / ct.y), ct>>>(d_Dst, d_Buf, imageW, imageH);
    checkCudaErrors(cudaDeviceSynchronize());
    checkCudaErrors(cudaMemcpy(got, d_Dst, n * sizeof(float), cudaMemcpyDeviceToHost));

    double worst = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int y = 0; y < imageH; y++)
            for (int x = 0; x < imageW; x++) {
                double sum = 0;
                for (int k = -KERNEL_RADIUS; k <= KERNEL_RADIUS; k++) {
                    int xx = pass == 0 ? x + k : x, yy = pass == 0 ? y : y + k;
                    if (xx < 0 || xx >= imageW || yy < 0 || yy >= imageH) continue;
                    sum += h_Kernel[KERNEL_RADIUS - k] * (pass == 0 ? src : buf)[yy * imageW + xx];
                }
                if (pass == 0) buf[y * imageW + x] = (float)sum;
                else {
                    double e = fabs(sum - got[y * imageW + x]);
                    if (!(e < 1e-2)) { printf("separable_convolution: (%d, %d) off by %g\n", x, y, e); return 1; }
                    if (e > worst) worst = e;
                }
            }
    checkCudaErrors(cudaFree(d_Src)); checkCudaErrors(cudaFree(d_Buf)); checkCudaErrors(cudaFree(d_Dst));
    free(src); free(buf); free(got);
    printf("separable_convolution: worst error %.2g\n", worst);
    return 0;
}
