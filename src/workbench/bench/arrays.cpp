#include "workbench/bench/arrays.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/npy.hpp"
#include "library/core/parts.hpp"
#include "rafter/error.hpp"
#include "rafter/half.hpp"
#include "workbench/bench/mixture.hpp"
#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

namespace {

/// The smallest positive number of a floating-point type, a denormal.
template <class T>
double smallest_of() {
  if constexpr (std::is_same_v<T, Half>) return 0x1p-24;
  if constexpr (std::is_same_v<T, Bfloat16>) return 0x1p-133;
  if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::denorm_min();
  return 0;
}

/// The elements of an array by index. The content of a file is in memory, shared by copies of this object.
template <class T>
struct FillElements {
  Fill fill{};
  std::uint64_t seed = 0;
  std::shared_ptr<const HostBytes> content{};

  T operator()(std::int64_t i) const {
    switch (fill.kind) {
      case Fill::Kind::none: return T{};
      case Fill::Kind::constant: return static_cast<T>(fill.value);
      case Fill::Kind::arange: return static_cast<T>(i);
      case Fill::Kind::random: return random(i);
      case Fill::Kind::file: break;
    }
    T value;
    std::memcpy(&value, content->data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T));
    return value;
  }

 private:
  /// A random element. Floats without a range are a mixture, and integers are in [0, 100).
  T random(std::int64_t i) const {
    const std::uint64_t bits = lab::random_bits(seed, i);
    const bool has_range = fill.low < fill.high;
    if constexpr (std::is_integral_v<T>) {
      const double low = has_range ? fill.low : 0, high = has_range ? fill.high : 100;
      const auto span = static_cast<std::uint64_t>(std::ceil(high - low));
      return static_cast<T>(static_cast<std::int64_t>(low) + static_cast<std::int64_t>(bits % span));
    } else {
      if (!has_range) return static_cast<T>(mixed_number(seed, i, smallest_of<T>()));
      return static_cast<T>(fill.low + (fill.high - fill.low) * (static_cast<double>(bits >> 11) * 0x1p-53));
    }
  }
};

/// The root mean square of the finite values.
template <class T>
double scale_of(std::span<const T> values) {
  struct Part {
    double sum = 0;
    std::int64_t n = 0;
  };
  std::array<Part, 64> parts{};  // a fixed number, so that the sum does not depend on the threads
  const auto n_parts = std::ssize(parts), size = std::ssize(values);
  core::for_each_index(core::default_threads(), n_parts, [&](std::int64_t at) {
    Part part;
    for (std::int64_t i = size * at / n_parts; i < size * (at + 1) / n_parts; ++i) {
      const auto value = static_cast<double>(values[static_cast<std::size_t>(i)]);
      if (!std::isfinite(value)) continue;
      part.sum += value * value;
      ++part.n;
    }
    parts[static_cast<std::size_t>(at)] = part;
  });
  Part all;
  for (const Part& part : parts) {
    all.sum += part.sum;
    all.n += part.n;
  }
  return all.n > 0 ? std::sqrt(all.sum / static_cast<double>(all.n)) : 0;
}

template <class T>
std::span<const T> as_elements(const HostBytes& bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

template <class T>
HostBytes as_bytes(std::span<const T> elements) {
  HostBytes bytes(elements.size_bytes());
  if (!bytes.empty()) std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <class T>
lab::Comparison compare_arrays(std::span<const T> actual, const HostBytes& expected_bytes, double tolerance) {
  const std::span<const T> expected = as_elements<T>(expected_bytes);
  if constexpr (std::is_integral_v<T>) {
    return lab::compare_elements(actual, [=](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; });
  } else {
    const double scale = scale_of(expected);
    return lab::compare_elements(actual, [=](std::int64_t i) {
      const auto value = static_cast<double>(expected[static_cast<std::size_t>(i)]);
      return lab::Expectation{value, tolerance * std::max(std::fabs(value), scale)};
    });
  }
}

template <class T>
class TypedInput final : public KernelArray {
 public:
  TypedInput(lab::ArrayCase& owner, const Array& array, const auto& make)
      : KernelArray(array, Use::input), array_(owner, array.name, array.size(), make) {}
  void* data(int set) override { return const_cast<T*>(array_.span(set).data()); }
  HostBytes on_host(int set) const override {
    HostBytes bytes(static_cast<std::size_t>(array_.size()) * sizeof(T));
    auto* to = reinterpret_cast<T*>(bytes.data());
    core::for_each_index(core::default_threads(), array_.size(),
                         [&](std::int64_t i) { to[i] = array_.element(set, i); });
    return bytes;
  }
  lab::Comparison compare_with(const HostBytes&, double) const override { return lab::nothing_to_compare(); }

 private:
  lab::Input<T, FillElements<T>> array_;
};

template <class T>
class TypedOutput final : public KernelArray {
 public:
  TypedOutput(lab::ArrayCase& owner, const Array& array, Use use)
      : KernelArray(array, use), array_(owner, array.name, array.size()) {}
  void* data(int) override { return array_.data(); }
  HostBytes on_host(int) const override { return as_bytes(array_.on_host()); }
  lab::Comparison compare_with(const HostBytes& expected, double tolerance) const override {
    return compare_arrays(array_.on_host(), expected, tolerance);
  }

 private:
  lab::Output<T> array_;
};

template <class T>
class TypedInOut final : public KernelArray {
 public:
  TypedInOut(lab::ArrayCase& owner, const Array& array, const auto& make)
      : KernelArray(array, Use::in_out), array_(owner, array.name, array.size(), make) {}
  void* data(int) override { return array_.data(); }
  HostBytes on_host(int) const override { return as_bytes(array_.on_host()); }
  lab::Comparison compare_with(const HostBytes& expected, double tolerance) const override {
    return compare_arrays(array_.on_host(), expected, tolerance);
  }

 private:
  lab::InOut<T, FillElements<T>> array_;
};

/// Calls `work` with the std::type_identity of the array's element type.
template <class Work>
auto with_type(const Array& array, const Work& work) {
  switch (array.type) {
    case ElementType::f32: return work(std::type_identity<float>());
    case ElementType::f64: return work(std::type_identity<double>());
    case ElementType::f16: return work(std::type_identity<Half>());
    case ElementType::bf16: return work(std::type_identity<Bfloat16>());
    case ElementType::i8: return work(std::type_identity<std::int8_t>());
    case ElementType::i16: return work(std::type_identity<std::int16_t>());
    case ElementType::i32: return work(std::type_identity<std::int32_t>());
    case ElementType::i64: return work(std::type_identity<std::int64_t>());
    case ElementType::u16: return work(std::type_identity<std::uint16_t>());
    case ElementType::u32: return work(std::type_identity<std::uint32_t>());
    case ElementType::u64: return work(std::type_identity<std::uint64_t>());
    case ElementType::u8:
    case ElementType::boolean: break;
  }
  return work(std::type_identity<std::uint8_t>());
}

template <class T>
std::unique_ptr<KernelArray> make_typed(lab::ArrayCase& owner, const Array& array, Use use, bool is_fixed) {
  if (use == Use::output || use == Use::scratch) return std::make_unique<TypedOutput<T>>(owner, array, use);
  std::shared_ptr<const HostBytes> content;
  if (array.fill.kind == Fill::Kind::file)
    content = std::make_shared<const HostBytes>(read_npy(array, array.fill.file));
  const auto make = [=](int, std::uint64_t seed) {
    const std::uint64_t chosen = array.fill.has_seed ? array.fill.seed : is_fixed ? 1 : seed;
    return FillElements<T>{array.fill, lab::mix(chosen), content};
  };
  if (use == Use::input) return std::make_unique<TypedInput<T>>(owner, array, make);
  return std::make_unique<TypedInOut<T>>(owner, array, make);
}

}  // namespace

std::unique_ptr<KernelArray> make_array(lab::ArrayCase& owner, const Array& array, Use use, bool is_fixed) {
  return with_type(array, [&]<class T>(std::type_identity<T>) { return make_typed<T>(owner, array, use, is_fixed); });
}

lab::Comparison compare_bytes(const Array& array, const HostBytes& actual, const HostBytes& expected,
                              double tolerance) {
  return with_type(array, [&]<class T>(std::type_identity<T>) {
    return compare_arrays(as_elements<T>(actual), expected, tolerance);
  });
}

bool is_nan(ElementType type, const std::byte* bytes) {
  const auto is_nan_of = [&]<class T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return std::isnan(static_cast<double>(value));
  };
  return with_type({.name = "", .type = type}, is_nan_of);
}

double default_tolerance(ElementType type) {
  switch (type) {
    case ElementType::f64: return 1e-12;
    case ElementType::f32: return 1e-5;
    case ElementType::f16: return 2e-3;
    case ElementType::bf16: return 1.6e-2;
    default: return 0;
  }
}

HostBytes read_npy(const Array& array, const std::filesystem::path& path) {
  base::NpyFile file(path);
  require_content(file, array);
  HostBytes bytes(static_cast<std::size_t>(array.bytes()));
  file.read(bytes);
  return bytes;
}

}  // namespace rafter::bench
