#include "library/c_api/tensors.hpp"

#include <limits>

namespace rafter::c_api {

namespace {

std::string text_of(const std::int64_t* shape, std::size_t n) {
  std::string text = "[";
  for (std::size_t i = 0; i < n; ++i)
    text += (i > 0 ? ", " : "") + (shape[i] == any ? std::string("any") : std::to_string(shape[i]));
  return text + "]";
}

std::string text_of(const rafter_tensor& tensor) {
  return text_of(tensor.shape, static_cast<std::size_t>(tensor.ndim));
}

std::string device_text(std::int32_t type, std::int32_t id) {
  switch (type) {
    case RAFTER_DEVICE_CPU: return "the CPU";
    case RAFTER_DEVICE_CUDA: return "GPU " + std::to_string(id);
    case RAFTER_DEVICE_CUDA_HOST: return "page-locked host memory";
    case RAFTER_DEVICE_CUDA_MANAGED: return "managed memory";
    default: return "a device of DLPack type " + std::to_string(type);
  }
}

}  // namespace

std::string type_name(const rafter_dtype& dtype) {
  const std::string lanes = dtype.lanes == 1 ? "" : "x" + std::to_string(dtype.lanes);
  const char* const names[] = {"int", "uint", "float", nullptr, "bfloat", "complex", "bool"};
  const char* const name = dtype.code < std::size(names) ? names[dtype.code] : nullptr;
  if (name == nullptr)
    return "type code " + std::to_string(dtype.code) + " of " + std::to_string(dtype.bits) + " bits" + lanes;
  return name + std::to_string(dtype.bits) + lanes;
}

const rafter_tensor& Tensors::valid(const char* argument, const rafter_tensor* given) const {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;
  constexpr int most_axes = 64;
  const rafter_tensor& tensor = required(function_, argument, given);
  if (tensor.ndim < 0 || tensor.ndim > most_axes)
    refuse(function_, argument, "should have 0 to 64 axes, has an ndim of " + std::to_string(tensor.ndim));
  if (tensor.ndim > 0 && tensor.shape == nullptr)
    refuse(function_, argument, "has no shape, but " + std::to_string(tensor.ndim) + " axes");
  std::int64_t elements = 1;
  bool is_huge = false;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    const std::int64_t extent = tensor.shape[axis];
    if (extent < 0) refuse(function_, argument, "should have extents of 0 or more, has the shape " + text_of(tensor));
    if (extent > 0 && elements > most / extent)
      is_huge = true;
    else
      elements *= extent;
  }
  if (is_huge && elements > 0)
    refuse(function_, argument, "should have fewer than 2^59 elements, has the shape " + text_of(tensor));
  return tensor;
}

std::int64_t Tensors::size(const rafter_tensor& tensor) noexcept {
  std::int64_t elements = 1;
  for (int axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 0) return 0;
  }
  for (int axis = 0; axis < tensor.ndim; ++axis) elements *= tensor.shape[axis];
  return elements;
}

void Tensors::require_shape(const char* argument, const rafter_tensor* given, Shape shape) const {
  const rafter_tensor& tensor = valid(argument, given);
  bool fits = static_cast<std::size_t>(tensor.ndim) == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i)
    fits = shape.begin()[i] == any || shape.begin()[i] == tensor.shape[i];
  if (!fits)
    refuse(function_, argument,
           "should have the shape " + text_of(shape.begin(), shape.size()) + ", has " + text_of(tensor));
}

void Tensors::require_same_shape(const char* argument, const rafter_tensor* given, const rafter_tensor& other) const {
  const rafter_tensor& tensor = valid(argument, given);
  if (tensor.ndim != other.ndim || !std::equal(tensor.shape, tensor.shape + tensor.ndim, other.shape))
    refuse(function_, argument, "should have the shape " + text_of(other) + ", has " + text_of(tensor));
}

void Tensors::require_contiguous(const char* argument, const rafter_tensor& tensor) const {
  if (tensor.strides == nullptr || size(tensor) == 0) return;
  std::int64_t expected = 1;
  for (int axis = tensor.ndim; axis-- > 0;) {
    if (tensor.shape[axis] != 1 && tensor.strides[axis] != expected)
      refuse(function_, argument,
             "should be contiguous, has a stride of " + std::to_string(tensor.strides[axis]) + " elements instead of " +
                 std::to_string(expected) + " along axis " + std::to_string(axis));
    expected *= tensor.shape[axis];
  }
}

std::int64_t Tensors::stride(const char* argument, const rafter_tensor& tensor, int axis, std::int64_t least) const {
  if (tensor.strides == nullptr || size(tensor) == 0) return least;
  const int last = tensor.ndim - 1;
  if (tensor.shape[last] > 1 && tensor.strides[last] != 1)
    refuse(function_, argument,
           "should have a stride of 1 along its last axis, has " + std::to_string(tensor.strides[last]));
  if (tensor.shape[axis] <= 1) return least;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 16;  // its bytes fit 64 bits
  const std::int64_t stride = tensor.strides[axis];
  if (stride < least || stride > most)
    refuse(function_, argument,
           "should have a stride between " + std::to_string(least) + " and 2^59 along axis " + std::to_string(axis) +
               ", has " + std::to_string(stride));
  return stride;
}

void* Tensors::address(const char* argument, const rafter_tensor& tensor) const {
  if (size(tensor) == 0) return nullptr;
  if (tensor.data == nullptr) refuse(function_, argument, "has no data, but the shape " + text_of(tensor));
  return static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

void* Tensors::device_address(const char* argument, const rafter_tensor& tensor) const {
  const auto type = static_cast<std::int32_t>(tensor.device.device_type);
  const bool on_gpu = stream_.device() == Device::cuda;
  const bool accessible =
      type == RAFTER_DEVICE_CUDA_HOST || type == RAFTER_DEVICE_CUDA_MANAGED ||
      (on_gpu ? type == RAFTER_DEVICE_CUDA && tensor.device.device_id == stream_.ordinal() : type == RAFTER_DEVICE_CPU);
  if (!accessible)
    refuse(function_, argument,
           "should be on the stream's device, " +
               device_text(on_gpu ? RAFTER_DEVICE_CUDA : RAFTER_DEVICE_CPU, stream_.ordinal()) + ", is on " +
               device_text(type, tensor.device.device_id));
  return address(argument, tensor);
}

void Tensors::require_host(const char* argument, const rafter_tensor& tensor) const {
  const auto type = static_cast<std::int32_t>(tensor.device.device_type);
  if (type != RAFTER_DEVICE_CPU && type != RAFTER_DEVICE_CUDA_HOST && type != RAFTER_DEVICE_CUDA_MANAGED)
    refuse(function_, argument, "should be in host memory, is on " + device_text(type, tensor.device.device_id));
}

}  // namespace rafter::c_api
