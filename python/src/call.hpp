// A call of a C function with arrays of Python.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "array.hpp"

namespace rafter::python {

/// Throws the Python exception for the last error of this thread: TypeError for an element type and ValueError for
/// other arguments, MemoryError, OSError, and rafter.Error for failures of the device and for what it does not support.
[[noreturn]] void throw_last_error(const char* op);

/// Makes rafter.Error, the exception type.
void add_error_type(nb::module_& module);

inline void require(rafter_status status, const char* op) {
  if (status != RAFTER_OK) throw_last_error(op);
}

/// The stream of the process's CPU ops.
rafter_stream* cpu_stream();

/// Returns a number as an element of a type. Throws TypeError for a float where integers are expected.
rafter_scalar scalar(const char* op, const char* argument, nb::handle number, const rafter_dtype& type);

/// Returns the index of a word in a list. Throws ValueError that names the words.
int choice(const char* op, const char* argument, const std::string& word, std::initializer_list<const char*> words);

/// The arrays of one call and its stream, that of the first array.
class Call {
 public:
  explicit Call(const char* op) : op_(op) {}
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const Array& in(const char* argument, nb::handle object) { return add(argument, object, Access::read); }
  const Array& out(const char* argument, nb::handle object) { return add(argument, object, Access::write); }

  /// Returns the tensor of an array that may be None.
  const rafter_tensor* optional_in(const char* argument, nb::handle object) {
    return object.is_none() ? nullptr : in(argument, object).tensor();
  }
  const rafter_tensor* optional_out(const char* argument, nb::handle object) {
    return object.is_none() ? nullptr : out(argument, object).tensor();
  }

  /// A result: the caller's array, or a new one.
  struct Result {
    nb::object object;
    const Array* array;
    bool is_new;
    const rafter_tensor* tensor() const { return array->tensor(); }
    /// The object that the op returns: NumPy's own type of number for a single new element of NumPy.
    nb::object element() const;
  };
  Result result(const char* argument, nb::handle given, const rafter_dtype& type,
                const std::vector<std::int64_t>& shape);

  /// The stream of the first array. Throws rafter.Error if the process cannot use the device.
  rafter_stream* stream();
  bool on_gpu() const { return !arrays_.empty() && arrays_.front().on_gpu(); }

  /// Calls function(stream) without Python's lock, and throws the exception for its failure.
  template <class Function>
  void run(Function&& function) {
    rafter_stream* const on = stream();
    rafter_status status;
    {
      const nb::gil_scoped_release released;
      status = function(on);
    }
    require(status, op_);
  }

  const char* op() const { return op_; }

 private:
  const Array& add(const char* argument, nb::handle object, Access access) {
    return arrays_.emplace_back(op_, argument, object, access);
  }

  const char* op_;
  std::deque<Array> arrays_;
  std::vector<nb::object> made_;
  rafter_stream* own_stream_ = nullptr;
};

/// Integers that an op writes for the host: on the stack for the CPU, in an array of the caller's package on a GPU,
/// where reading them waits for the stream.
template <int n>
class HostIntegers {
 public:
  HostIntegers(Call& call, const Array& like) {
    if (!call.on_gpu()) return;
    on_gpu_ = new_array(call.op(), like, rafter_make_dtype(RAFTER_TYPE_INT, 64), {n});
    tensor_ = call.out("count", on_gpu_).tensor();
  }
  const rafter_tensor* tensor() {
    if (tensor_ == nullptr) {
      on_cpu_ = rafter_make_tensor(values_, {RAFTER_DEVICE_CPU, 0}, rafter_make_dtype(RAFTER_TYPE_INT, 64), 1, shape_);
      tensor_ = &on_cpu_;
    }
    return tensor_;
  }
  std::int64_t read(int i) {
    if (!on_gpu_.is_valid()) return values_[i];
    return nb::cast<std::int64_t>(nb::int_(nb::object(on_gpu_[nb::int_(i)])));
  }

 private:
  std::int64_t values_[n] = {}, shape_[1] = {n};
  rafter_tensor on_cpu_{};
  const rafter_tensor* tensor_ = nullptr;
  nb::object on_gpu_;
};

}  // namespace rafter::python
