// The image kernels and their launch.
#include "kernels.cuh"

static __device__ int pixel(const Image& image, int x, int y) {
  x = max(0, min(x, image.width - 1));
  y = max(0, min(y, image.height - 1));
  return image.pixels[y * image.width + x];
}

__global__ void brighten(Image image, int amount) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= image.width || y >= image.height) return;
  unsigned char& p = image.pixels[y * image.width + x];
  p = static_cast<unsigned char>(clamp_byte(p + PROJECT_SCALE * amount));
}

__global__ void box_blur(Image in, Image out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += pixel(in, x + dx, y + dy);
  out.pixels[y * in.width + x] = static_cast<unsigned char>(sum / 9);
}

void launch_pipeline(Image in, Image out, int amount, cudaStream_t stream) {
  const dim3 block(32, 4);
  const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
  brighten<<<grid, block, 0, stream>>>(in, amount);
  box_blur<<<grid, block, 0, stream>>>(in, out);
}
