// Tensors that own their memory, as a caller of the C API would have.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "library/c_api/tensors.hpp"

namespace rafter::c_api {

/// A tensor in host memory.
class Owned {
 public:
  Owned(std::uint8_t code, std::uint8_t bits, std::vector<std::int64_t> shape)
      : dtype_(rafter_make_dtype(code, bits)), original_(std::move(shape)) {
    std::size_t n = bits / 8;
    for (const std::int64_t extent : original_) n *= static_cast<std::size_t>(extent);
    bytes_.resize(n, std::byte{0});
    restore();
  }
  Owned(Owned&&) = default;  // the tensor points to what the vectors keep

  /// Undoes all changes of the tensor.
  void restore() {
    shape_ = original_;
    strides_.resize(shape_.size());
    std::int64_t n = 1;
    for (std::size_t axis = shape_.size(); axis-- > 0; n *= shape_[axis]) strides_[axis] = n;
    tensor_ = rafter_make_tensor(bytes_.data(), {RAFTER_DEVICE_CPU, 0}, dtype_,
                                 static_cast<std::int32_t>(shape_.size()), shape_.data());
    tensor_.strides = strides_.data();
  }

  const rafter_tensor* get() const noexcept { return &tensor_; }
  rafter_tensor& tensor() noexcept { return tensor_; }
  std::vector<std::int64_t>& shape() noexcept { return shape_; }
  std::vector<std::int64_t>& strides() noexcept { return strides_; }

  template <class T>
  std::vector<T> values() const {
    std::vector<T> all(bytes_.size() / sizeof(T));
    std::memcpy(all.data(), bytes_.data(), bytes_.size());
    return all;
  }
  const std::vector<std::byte>& bytes() const noexcept { return bytes_; }

 private:
  rafter_dtype dtype_;
  std::vector<std::int64_t> original_, shape_, strides_;
  std::vector<std::byte> bytes_;
  rafter_tensor tensor_;
};

template <class T>
Owned zeros(std::vector<std::int64_t> shape) {
  return {type_code<T>, static_cast<std::uint8_t>(8 * sizeof(T)), std::move(shape)};
}

/// A tensor of these values: [n], or of another shape with as many elements.
template <class T>
Owned tensor(const std::vector<T>& values, std::vector<std::int64_t> shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  Owned made = zeros<T>(std::move(shape));
  std::memcpy(made.tensor().data, values.data(), values.size() * sizeof(T));
  return made;
}

struct DestroyStream {
  void operator()(rafter_stream* stream) const noexcept { rafter_stream_destroy(stream); }
};
using StreamHandle = std::unique_ptr<rafter_stream, DestroyStream>;

inline StreamHandle cpu_stream(std::int32_t n_threads = 2) {
  rafter_stream* stream = nullptr;
  EXPECT_EQ(rafter_stream_cpu(n_threads, &stream), RAFTER_OK);
  return StreamHandle(stream);
}

inline std::string last_message() { return rafter_last_error()->message; }
inline std::string last_argument() { return rafter_last_error()->argument; }

}  // namespace rafter::c_api
