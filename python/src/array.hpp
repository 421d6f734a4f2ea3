// Arrays of Python programs as tensors of the C API, without copies.
#pragma once

#include <nanobind/nanobind.h>
#include <rafter/rafter.h>

#include <cstdint>
#include <string>
#include <vector>

namespace rafter::python {

namespace nb = nanobind;

enum class Access { read, write };

inline constexpr rafter_dtype int64_type{RAFTER_TYPE_INT, 64, 1};

/// The package that an array belongs to, which also makes the results.
enum class Framework { numpy, torch, other };

/// Returns the name of an element type, such as "float32"; "" for types without one.
std::string type_name(const rafter_dtype& type);

/// Returns the element type that a Python object names: "float32", numpy.float32, a numpy.dtype or a torch.dtype.
rafter_dtype type_of(const char* argument, nb::handle object);

/// The memory of a Python object: an exporter of the buffer protocol (NumPy arrays, memoryviews) or of DLPack (tensors
/// of PyTorch, arrays of CuPy and JAX). Keeps the memory exported while it exists, and never copies it. The constructor
/// throws TypeError or ValueError that names the argument.
class Array {
 public:
  Array(const char* op, const char* argument, nb::handle object, Access access);
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const rafter_tensor* tensor() const noexcept { return &tensor_; }
  nb::handle object() const noexcept { return object_; }
  Framework framework() const noexcept { return framework_; }
  bool on_gpu() const noexcept { return tensor_.device.device_type == RAFTER_DEVICE_CUDA; }
  std::int64_t size() const noexcept;
  std::vector<std::int64_t> shape() const { return {tensor_.shape, tensor_.shape + tensor_.ndim}; }

 private:
  /// A buffer that is released also if the constructor throws.
  struct HeldBuffer {
    Py_buffer view{};
    bool is_held = false;

    HeldBuffer() = default;
    HeldBuffer(const HeldBuffer&) = delete;
    HeldBuffer& operator=(const HeldBuffer&) = delete;
    ~HeldBuffer() {
      if (is_held) PyBuffer_Release(&view);
    }
  };

  bool take_buffer(Access access);
  void take_dlpack(Access access);
  void take_capsule(nb::object capsule, Access access);
  bool take_exchanged();
  [[noreturn]] void refuse(const std::string& complaint) const;

  static constexpr int inline_axes = 6;

  const char* op_;
  const char* argument_;
  nb::handle object_;
  Framework framework_ = Framework::other;
  rafter_tensor tensor_{};
  HeldBuffer held_;
  nb::object capsule_;
  std::int64_t inline_strides_[inline_axes];
  std::vector<std::int64_t> more_strides_;
};

/// Returns the CUDA stream on which the array's package currently works, for the GPU of the array; null: the legacy
/// default stream.
void* current_stream(const Array& array);

/// Returns a new array of the package of `like`, on its device. Throws TypeError if the package cannot make one.
nb::object new_array(const char* op, const Array& like, const rafter_dtype& type,
                     const std::vector<std::int64_t>& shape);

}  // namespace rafter::python
