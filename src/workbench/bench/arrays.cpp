#include "workbench/bench/arrays.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <type_traits>

#include "base/npy.hpp"
#include "library/core/arithmetic.hpp"
#include "library/core/parts.hpp"
#include "rafter/buffer.hpp"
#include "rafter/error.hpp"
#include "rafter/half.hpp"
#include "workbench/bench/array_elements.hpp"
#include "workbench/lab/cases/case_arrays.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

namespace {

template <class T>
FillElements<T> elements_of(const Array& array, std::uint64_t seed, const HostBytes* content) {
  const Fill& fill = array.fill;
  return {fill.kind, fill.value, fill.low, fill.high, seed, content != nullptr ? content->data() : nullptr};
}

/// The root mean square of the finite values.
double root_mean_square(const std::vector<SquareSum>& parts) {
  SquareSum all;
  for (const SquareSum& part : parts) all.add(part);
  return all.n > 0 ? std::sqrt(all.sum / static_cast<double>(all.n)) : 0;
}

template <class T>
double scale_of(std::span<const T> values) {
  constexpr std::int64_t n_parts = 64;  // a fixed number, so that the sum does not depend on the threads
  const std::int64_t size = std::ssize(values);
  return root_mean_square(lab::map_indices(Stream::cpu(), n_parts, [&](std::int64_t at) {
    SquareSum part;
    for (std::int64_t i = size * at / n_parts; i < size * (at + 1) / n_parts; ++i)
      part.add(static_cast<double>(values[static_cast<std::size_t>(i)]));
    return part;
  }));
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
      return near(static_cast<double>(expected[static_cast<std::size_t>(i)]), tolerance, scale);
    });
  }
}

/// The expected contents of an array by input set, in the memory of the GPU.
template <class T>
class SealedContents {
 public:
  void seal(const Stream& stream, const T* from, std::int64_t n, int set, std::uint64_t key) {
    auto& sealed = sets_.try_emplace(set, stream, n).first->second;
    sealed.key = key;
    lab::for_indices(stream, n, SealElement<T>{from, sealed.words.data(), key});
    if constexpr (!std::is_integral_v<T>) {
      const SquaresOfPart<T> squares{sealed.elements(), n};
      sealed.scale = root_mean_square(lab::map_indices(stream, ceil_div(n, squares.part_elements), squares));
    }
  }

  bool has(int set) const { return sets_.contains(set); }

  template <class TypedArray>
  lab::Comparison compare(const TypedArray& array, int set, double tolerance) const {
    const Sealed& sealed = sets_.at(set);
    if constexpr (std::is_integral_v<T>) {
      return array.compare_with(sealed.elements());
    } else {
      return array.compare_with(SealedExpectations<T>{sealed.elements(), tolerance, sealed.scale});
    }
  }

 private:
  struct Sealed {
    Buffer<WordOf<T>> words;
    std::uint64_t key = 0;
    double scale = 0;

    Sealed(const Stream& stream, std::int64_t n) : words(stream, n) {}
    SealedElements<T> elements() const { return {words.data(), key}; }
  };
  std::map<int, Sealed> sets_{};
};

template <class T>
class TypedInput final : public KernelArray {
 public:
  TypedInput(lab::ArrayCase& owner, const Array& array, std::shared_ptr<const HostBytes> content, const auto& make)
      : KernelArray(array, Use::input), content_(std::move(content)), array_(owner, array.name, array.size(), make) {}
  void* data(int set) override { return const_cast<T*>(array_.span(set).data()); }
  HostBytes on_host(int set) const override {
    HostBytes bytes(static_cast<std::size_t>(array_.size()) * sizeof(T));
    auto* to = reinterpret_cast<T*>(bytes.data());
    core::for_each_index(core::default_threads(), array_.size(),
                         [&](std::int64_t i) { to[i] = array_.element(set, i); });
    return bytes;
  }
  lab::Comparison compare_with(const HostBytes&, double) const override { return lab::nothing_to_compare(); }
  void renew(int set, std::uint64_t seed) override { array_.renew(set, elements_of<T>(shape(), seed, nullptr)); }

 private:
  std::shared_ptr<const HostBytes> content_;
  lab::Input<T, FillElements<T>> array_;
};

template <class T>
class TypedOutput final : public KernelArray {
 public:
  TypedOutput(lab::ArrayCase& owner, const Array& array, Use use)
      : KernelArray(array, use), owner_(owner), array_(owner, array.name, array.size()) {}
  void* data(int) override { return array_.data(); }
  HostBytes on_host(int) const override { return as_bytes(array_.on_host()); }
  lab::Comparison compare_with(const HostBytes& expected, double tolerance) const override {
    return compare_arrays(array_.on_host(), expected, tolerance);
  }
  void seal(int set, std::uint64_t key) override {
    sealed_.seal(owner_.stream(), array_.data(), array_.size(), set, key);
  }
  bool is_sealed(int set) const override { return sealed_.has(set); }
  lab::Comparison compare_with_sealed(int set, double tolerance) const override {
    return sealed_.compare(array_, set, tolerance);
  }

 private:
  const lab::ArrayCase& owner_;
  lab::Output<T> array_;
  SealedContents<T> sealed_{};
};

template <class T>
class TypedInOut final : public KernelArray {
 public:
  TypedInOut(lab::ArrayCase& owner, const Array& array, std::shared_ptr<const HostBytes> content, const auto& make)
      : KernelArray(array, Use::in_out),
        owner_(owner),
        content_(std::move(content)),
        array_(owner, array.name, array.size(), make) {}
  void* data(int) override { return array_.data(); }
  HostBytes on_host(int) const override { return as_bytes(array_.on_host()); }
  lab::Comparison compare_with(const HostBytes& expected, double tolerance) const override {
    return compare_arrays(array_.on_host(), expected, tolerance);
  }
  void renew(int set, std::uint64_t seed) override { array_.renew(set, elements_of<T>(shape(), seed, nullptr)); }
  void seal(int set, std::uint64_t key) override {
    sealed_.seal(owner_.stream(), array_.data(), array_.size(), set, key);
  }
  bool is_sealed(int set) const override { return sealed_.has(set); }
  lab::Comparison compare_with_sealed(int set, double tolerance) const override {
    return sealed_.compare(array_, set, tolerance);
  }

 private:
  const lab::ArrayCase& owner_;
  std::shared_ptr<const HostBytes> content_;
  lab::InOut<T, FillElements<T>> array_;
  SealedContents<T> sealed_{};
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
    return elements_of<T>(array, lab::mix(chosen), content.get());
  };
  if (use == Use::input) return std::make_unique<TypedInput<T>>(owner, array, content, make);
  return std::make_unique<TypedInOut<T>>(owner, array, content, make);
}

}  // namespace

std::unique_ptr<KernelArray> make_array(lab::ArrayCase& owner, const Array& array, Use use, bool is_fixed) {
  return with_type(array, [&]<class T>(std::type_identity<T>) { return make_typed<T>(owner, array, use, is_fixed); });
}

HostBytes filled_bytes(const Array& array, std::uint64_t seed) {
  if (array.fill.kind == Fill::Kind::file) return read_npy(array, array.fill.file);
  return with_type(array, [&]<class T>(std::type_identity<T>) {
    const FillElements<T> element =
        elements_of<T>(array, lab::mix(array.fill.has_seed ? array.fill.seed : seed), nullptr);
    std::vector<T> all;
    for (std::int64_t i = 0; i < array.size(); ++i) all.push_back(element(i));
    return as_bytes(std::span<const T>(all));
  });
}

HostBytes convert_floats(const HostBytes& elements, ElementType from, ElementType to) {
  return with_type({.name = "", .type = from}, [&]<class From>(std::type_identity<From>) {
    return with_type({.name = "", .type = to}, [&]<class To>(std::type_identity<To>) {
      std::vector<To> all;
      for (const From element : as_elements<From>(elements)) {
        if constexpr (std::is_integral_v<From> || std::is_integral_v<To>) {
          throw Error(ErrorCode::bad_argument, "only floating-point elements are converted");
        } else {
          all.push_back(static_cast<To>(static_cast<double>(element)));
        }
      }
      return as_bytes(std::span<const To>(all));
    });
  });
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
