// Pitched images: cudaMallocPitch, cudaMemcpy2D both ways, cudaMemset2D, row pointers through char arithmetic.
#include <cuda_runtime.h>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <vector>

void throw_on_error(cudaError_t code, const char* what, int line) {
  if (code == cudaSuccess) return;
  std::ostringstream s;
  s << what << " (line " << line << "): " << cudaGetErrorString(code);
  throw std::runtime_error(s.str());
}
#define TRY(x) throw_on_error((x), #x, __LINE__)

template <class T>
class PitchedImage {
 public:
  PitchedImage(size_t width, size_t height) : width_(width), height_(height) {
    TRY(cudaMallocPitch(&data_, &pitch_, width * sizeof(T), height));
  }
  ~PitchedImage() { cudaFree(data_); }
  PitchedImage(const PitchedImage&) = delete;
  T* data() { return data_; }
  size_t pitch() const { return pitch_; }
  void upload(const std::vector<T>& host) {
    TRY(cudaMemcpy2D(data_, pitch_, host.data(), width_ * sizeof(T), width_ * sizeof(T), height_, cudaMemcpyHostToDevice));
  }
  std::vector<T> download() const {
    std::vector<T> host(width_ * height_);
    TRY(cudaMemcpy2DAsync(host.data(), width_ * sizeof(T), data_, pitch_, width_ * sizeof(T), height_, cudaMemcpyDeviceToHost, 0));
    TRY(cudaStreamSynchronize(0));
    return host;
  }

 private:
  T* data_ = nullptr;
  size_t pitch_ = 0, width_, height_;
};

template <class T>
__device__ T* row_of(T* base, size_t pitch, int row) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(base) + row * pitch);
}

__global__ void mirror(float* in, size_t in_pitch, float* out, size_t out_pitch, int width, int height) {
  for (int r = blockIdx.y; r < height; r += gridDim.y)
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < width; c += blockDim.x * gridDim.x)
      row_of(out, out_pitch, r)[width - 1 - c] += row_of(in, in_pitch, r)[c];
}

int main() {
  try {
    const int width = 45, height = 29;
    std::vector<float> host(width * height);
    for (size_t i = 0; i < host.size(); ++i) host[i] = float(i);

    PitchedImage<float> in(width, height), out(width, height);
    if (in.pitch() < width * sizeof(float)) throw std::runtime_error("pitch below the row");
    in.upload(host);
    TRY(cudaMemset2D(out.data(), out.pitch(), 0, width * sizeof(float), height));
    mirror<<<dim3(2, 5), 16>>>(in.data(), in.pitch(), out.data(), out.pitch(), width, height);
    TRY(cudaGetLastError());
    auto got = out.download();

    // copies a window from the middle of the image into a buffer without padding
    const int wx = 7, wy = 4, ww = 11, wh = 6;
    float* window;
    TRY(cudaMalloc(&window, ww * wh * sizeof(float)));
    const char* corner = reinterpret_cast<const char*>(in.data()) + wy * in.pitch() + wx * sizeof(float);
    TRY(cudaMemcpy2D(window, ww * sizeof(float), corner, in.pitch(), ww * sizeof(float), wh, cudaMemcpyDeviceToDevice));
    std::vector<float> tight(ww * wh);
    TRY(cudaMemcpy(tight.data(), window, ww * wh * sizeof(float), cudaMemcpyDeviceToHost));
    TRY(cudaFree(window));

    int bad = 0;
    for (int r = 0; r < height; ++r)
      for (int c = 0; c < width; ++c) bad += got[r * width + c] != host[r * width + width - 1 - c];
    for (int r = 0; r < wh; ++r)
      for (int c = 0; c < ww; ++c) bad += tight[r * ww + c] != host[(r + wy) * width + c + wx];
    std::cout << "pitched_2d: " << bad << " bad" << std::endl;
    return bad != 0;
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return 2;
  }
}
