// cuDNN's convolution, with the algorithm that cuDNN's own search finds fastest for a shape.
#pragma once

#include <cudnn.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>

#include "conv/conv_rung.hpp"

namespace rafter::conv_ladder::cuda {

inline void check_cudnn(cudnnStatus_t status, const char* call) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  const auto code = status == CUDNN_STATUS_NOT_SUPPORTED ? ErrorCode::unsupported : ErrorCode::device_failure;
  throw Error(code, std::string(call) + ": " + cudnnGetErrorString(status));
}

/// A convolution with its descriptors and its algorithm, for tensors in one layout.
class CudnnConvolution {
 public:
  CudnnConvolution(const ConvShape& shape, cudnnDataType_t type, ConvPrecision precision, cudnnTensorFormat_t layout) {
    const auto n = [](std::int64_t extent) { return static_cast<int>(extent); };
    check_cudnn(cudnnCreate(&handle_), "cudnnCreate");
    check_cudnn(cudnnCreateTensorDescriptor(&in_), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnnCreateTensorDescriptor(&out_), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnnCreateFilterDescriptor(&kernels_), "cudnnCreateFilterDescriptor");
    check_cudnn(cudnnCreateConvolutionDescriptor(&convolution_), "cudnnCreateConvolutionDescriptor");
    check_cudnn(cudnnSetTensor4dDescriptor(in_, layout, type, n(shape.batch), n(shape.channels), n(shape.height),
                                           n(shape.width)),
                "cudnnSetTensor4dDescriptor");
    check_cudnn(cudnnSetTensor4dDescriptor(out_, layout, type, n(shape.batch), n(shape.maps), n(shape.out_height()),
                                           n(shape.out_width())),
                "cudnnSetTensor4dDescriptor");
    check_cudnn(cudnnSetFilter4dDescriptor(kernels_, type, layout, n(shape.maps), n(shape.channels),
                                           n(shape.kernel_height), n(shape.kernel_width)),
                "cudnnSetFilter4dDescriptor");
    check_cudnn(cudnnSetConvolution2dDescriptor(convolution_, n(shape.pad_height), n(shape.pad_width), 1, 1, 1, 1,
                                                CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT),
                "cudnnSetConvolution2dDescriptor");
    math_ = precision == ConvPrecision::fp32                               ? CUDNN_FMA_MATH
            : precision == ConvPrecision::fp16 && type == CUDNN_DATA_FLOAT ? CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION
                                                                           : CUDNN_TENSOR_OP_MATH;
    check_cudnn(cudnnSetConvolutionMathType(convolution_, math_), "cudnnSetConvolutionMathType");
  }
  CudnnConvolution(const CudnnConvolution&) = delete;

  void run(const Stream& stream, const void* in, const void* kernels, void* out, std::byte* work,
           std::size_t most_work) {
    check_cudnn(cudnnSetStream(handle_, stream.handle()), "cudnnSetStream");
    if (!is_found_) find(in, kernels, out, work, most_work);
    constexpr float one = 1;
    constexpr float zero = 0;
    check_cudnn(cudnnConvolutionForward(handle_, &one, in_, in, kernels_, kernels, convolution_, best_.algo, work,
                                        best_.memory, &zero, out_, out),
                "cudnnConvolutionForward");
  }

  /// Copies a tensor to another layout.
  void transform(const Stream& stream, cudnnTensorDescriptor_t from_layout, const void* from,
                 cudnnTensorDescriptor_t to_layout, void* to) {
    check_cudnn(cudnnSetStream(handle_, stream.handle()), "cudnnSetStream");
    constexpr float one = 1;
    constexpr float zero = 0;
    check_cudnn(cudnnTransformTensor(handle_, &one, from_layout, from, &zero, to_layout, to), "cudnnTransformTensor");
  }
  cudnnTensorDescriptor_t in_layout() const { return in_; }
  cudnnTensorDescriptor_t out_layout() const { return out_; }

 private:
  /// Lets cuDNN time all its plans, and keeps the fastest one that uses the requested math.
  void find(const void* in, const void* kernels, void* out, std::byte* work, std::size_t most_work) {
    cudnnConvolutionFwdAlgoPerf_t results[16];
    int n = 0;
    check_cudnn(cudnnFindConvolutionForwardAlgorithmEx(handle_, in_, in, kernels_, kernels, convolution_, out_, out, 16,
                                                       &n, results, work, most_work),
                "cudnnFindConvolutionForwardAlgorithmEx");
    for (int i = 0; i < n && !is_found_; ++i) {
      const bool is_asked =
          math_ != CUDNN_FMA_MATH || results[i].mathType == CUDNN_FMA_MATH || results[i].mathType == CUDNN_DEFAULT_MATH;
      if (results[i].status != CUDNN_STATUS_SUCCESS || !is_asked) continue;
      best_ = results[i];
      is_found_ = true;
    }
    if (!is_found_) throw Error(ErrorCode::unsupported, "cuDNN has no algorithm for this convolution");
    check_cudnn(cudnnSetConvolutionMathType(convolution_, math_ == CUDNN_FMA_MATH ? math_ : best_.mathType),
                "cudnnSetConvolutionMathType");
  }

  cudnnHandle_t handle_{};
  cudnnTensorDescriptor_t in_{};
  cudnnTensorDescriptor_t out_{};
  cudnnFilterDescriptor_t kernels_{};
  cudnnConvolutionDescriptor_t convolution_{};
  cudnnMathType_t math_{};
  cudnnConvolutionFwdAlgoPerf_t best_{};
  bool is_found_ = false;
};

inline constexpr std::int64_t cudnn_work_bytes = std::int64_t{2} << 30;

/// Returns the convolution for a shape, created on first use. It lives as long as the program.
inline CudnnConvolution& cudnn_convolution(const ConvShape& s, cudnnDataType_t type, ConvPrecision precision,
                                           cudnnTensorFormat_t layout) {
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                         std::int64_t, std::int64_t, std::int64_t, int, int, int>;
  static std::mutex mutex;
  static std::map<Key, std::unique_ptr<CudnnConvolution>> known;
  const std::scoped_lock lock(mutex);
  auto& one = known[Key{s.batch, s.channels, s.height, s.width, s.maps, s.kernel_height, s.kernel_width, s.pad_height,
                        s.pad_width, type, static_cast<int>(precision), layout}];
  if (one == nullptr) one = std::make_unique<CudnnConvolution>(s, type, precision, layout);
  return *one;
}

template <class T>
inline constexpr cudnnDataType_t cudnn_type = sizeof(T) == 2 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;

/// Throws Error (unsupported) unless this is a plain convolution in a precision that cuDNN supports.
template <class T>
void require_cudnn(const ConvArgs<T>& args) {
  if (args.precision == ConvPrecision::split_fp16) throw Error(ErrorCode::unsupported, "cuDNN does not split factors");
  require_plain(args, args.precision);
}

}  // namespace rafter::conv_ladder::cuda
