// The arrays of a stranger's kernel as arrays of a case, of whatever type was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workbench/bench/arguments.hpp"
#include "workbench/lab/cases/array_case.hpp"

namespace rafter::bench {

/// What kernels do with an array.
enum class Use {
  input,   ///< all take it const
  output,  ///< somebody may write it, and nothing was said to be in it: poisoned before
  in_out,  ///< somebody may write it, and it was filled: made again before
};

/// What an output has to be: the bytes that the reference left.
using HostBytes = std::vector<std::byte>;

class KernelArray {
 public:
  virtual ~KernelArray() = default;

  const Array& shape() const { return shape_; }
  Use use() const { return use_; }

  /// Where the kernel finds it, for an input set.
  virtual void* data(int set) = 0;
  virtual HostBytes on_host(int set) const = 0;
  /// Holds what is there now against the bytes, within the tolerance: relative to the element, or to the root mean
  /// square of all where that is more. Integers must be the same.
  virtual lab::Comparison compare_with(const HostBytes& expected, double tolerance) const = 0;

 protected:
  KernelArray(Array shape, Use use) : shape_(std::move(shape)), use_(use) {}

 private:
  Array shape_;
  Use use_;
};

/// `is_fixed`: the same in every input set.
std::unique_ptr<KernelArray> make_array(lab::ArrayCase& owner, const Array& array, Use use, bool is_fixed);

/// The same of bytes that are in host memory already.
lab::Comparison compare_bytes(const Array& array, const HostBytes& actual, const HostBytes& expected, double tolerance);

/// The tolerance for a type where none was given; 0 for integers.
double usual_tolerance(const std::string& type);

/// An array from a .npy file, whose type and shape must be those of `array`. Throws Error (bad_argument, io).
HostBytes read_npy(const Array& array, const std::filesystem::path& file);

}  // namespace rafter::bench
