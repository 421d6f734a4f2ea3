// The arrays of a user kernel as arrays of a case.
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

/// The use that kernels make of an array.
enum class Use {
  input,    ///< All kernels take it const.
  output,   ///< A kernel may write it and it has no fill: poisoned before each launch.
  in_out,   ///< A kernel may write it and it has a fill: filled again before each launch.
  scratch,  ///< Poisoned before each launch as an output is, and not a result.
};

/// The bytes of an array in host memory.
using HostBytes = std::vector<std::byte>;

class KernelArray {
 public:
  virtual ~KernelArray() = default;

  const Array& shape() const { return shape_; }
  Use use() const { return use_; }

  /// The address that the kernel gets for an input set.
  virtual void* data(int set) = 0;
  virtual HostBytes on_host(int set) const = 0;
  bool is_result() const { return use_ == Use::output || use_ == Use::in_out; }
  /// Compares the current content with the expected bytes. The tolerance is relative to the larger of the element and
  /// the root mean square of all elements. Integers must be equal.
  virtual lab::Comparison compare_with(const HostBytes& expected, double tolerance) const = 0;

  /// Whether renew() gives the array other values.
  bool is_renewable() const {
    return (use_ == Use::input || use_ == Use::in_out) && shape_.fill.kind == Fill::Kind::random &&
           !shape_.fill.has_seed;
  }
  virtual void renew(int /*set*/, std::uint64_t /*seed*/) {}

  /// Keeps the current content of a result as the expected one for an input set, on the GPU, combined with random bits
  /// that follow from `key`.
  virtual void seal(int /*set*/, std::uint64_t /*key*/) {}
  virtual bool is_sealed(int /*set*/) const { return false; }
  /// Compares the current content with the sealed one as compare_with() does.
  virtual lab::Comparison compare_with_sealed(int /*set*/, double /*tolerance*/) const {
    return lab::nothing_to_compare();
  }

 protected:
  KernelArray(Array shape, Use use) : shape_(std::move(shape)), use_(use) {}

 private:
  Array shape_;
  Use use_;
};

/// Creates an array of a case. `is_fixed`: every input set has the same content.
std::unique_ptr<KernelArray> make_array(lab::ArrayCase& owner, const Array& array, Use use, bool is_fixed);

/// Whether an element of a floating-point type, which begins at `bytes`, is NaN.
bool is_nan(ElementType type, const std::byte* bytes);

/// Returns the elements that a fill gives an array.
HostBytes filled_bytes(const Array& array, std::uint64_t seed);

/// Converts elements of a floating-point type to another one.
HostBytes convert_floats(const HostBytes& elements, ElementType from, ElementType to);

/// Compares two arrays in host memory as KernelArray::compare_with() does.
lab::Comparison compare_bytes(const Array& array, const HostBytes& actual, const HostBytes& expected, double tolerance);

/// The default tolerance of a type; 0 for integers.
double default_tolerance(ElementType type);

/// Reads an array from a .npy file of the type and shape of `array`. Throws Error (bad_argument, io).
HostBytes read_npy(const Array& array, const std::filesystem::path& file);

}  // namespace rafter::bench
