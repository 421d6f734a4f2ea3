#include "workbench/bench/answers.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rafter/error.hpp"

namespace rafter::bench {

namespace {

/// Elements of an array: their number, and the first of them.
struct Elements {
  std::int64_t n = 0, first = 0;
};

/// Counts the elements for which `is_counted(first byte, bytes)` holds.
template <class IsCounted>
Elements count_elements(const Array& array, const HostBytes& bytes, const IsCounted& is_counted) {
  Elements counted;
  const auto n_bytes = static_cast<std::size_t>(bytes_of(array.type));
  for (std::int64_t i = 0; i < array.size() && !bytes.empty(); ++i) {
    if (!is_counted(static_cast<std::size_t>(i) * n_bytes, n_bytes)) continue;
    if (counted.n++ == 0) counted.first = i;
  }
  return counted;
}

bool is_all(const HostBytes& bytes, std::size_t from, std::size_t n, std::byte value) {
  return std::all_of(bytes.begin() + static_cast<std::ptrdiff_t>(from),
                     bytes.begin() + static_cast<std::ptrdiff_t>(from + n), [=](std::byte b) { return b == value; });
}

}  // namespace

bool may_be_unset(const KernelArrays& arrays, const std::vector<HostBytes>& answers) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i]->use() != Use::output) continue;
    const auto is_poison = [&](std::size_t at, std::size_t n) { return is_all(answers[i], at, n, poison); };
    if (count_elements(arrays[i]->shape(), answers[i], is_poison).n > 0) return true;
  }
  return false;
}

void require_complete(const std::string& reference, const KernelArrays& arrays, const std::vector<HostBytes>& once,
                      const std::vector<HostBytes>& again) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i]->use() != Use::output) continue;
    const Array& array = arrays[i]->shape();
    const Elements unset = count_elements(array, once[i], [&](std::size_t at, std::size_t n) {
      return is_all(once[i], at, n, poison) && is_all(again[i], at, n, other_poison);
    });
    if (unset.n == 0) continue;
    throw Error(ErrorCode::bad_argument,
                fmt::format("the reference {0} leaves {1} of {2} elements of '{3}' unset, the first at {4}\n"
                            "  if its launch does not cover the array: --reference-grid, --reference-block\n"
                            "  if the array is only for intermediate values: --arg {3}={5}[...]:scratch\n"
                            "  if elements may stay as they were: give it a fill, --arg {3}={5}[...]:0",
                            reference, unset.n, array.size(), array.name, unset.first, name(array.type)));
  }
}

void require_numbers(const std::string& reference, const KernelArrays& arrays, const std::vector<HostBytes>& answers) {
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Array& array = arrays[i]->shape();
    if (!arrays[i]->is_result() || !is_float(array.type)) continue;
    const Elements odd = count_elements(
        array, answers[i], [&](std::size_t at, std::size_t) { return is_nan(array.type, answers[i].data() + at); });
    if (odd.n == 0) continue;
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("the reference {} gives NaN in {} of {} elements of '{}', the first at {}: no kernel can be "
                    "wrong there. Inputs that it is for: --arg NAME={}[...]:uniform(LOW,HIGH)",
                    reference, odd.n, array.size(), array.name, odd.first, name(array.type)));
  }
}

}  // namespace rafter::bench
