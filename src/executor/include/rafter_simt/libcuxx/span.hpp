// <cuda/std/span>: libcu++ has it in C++17, too.
#pragma once

#if __cplusplus >= 202002L
#include <span>
#endif
#include <array>
#include <iterator>

#include "rafter_simt/libcuxx/std.hpp"

#if __cplusplus < 202002L
namespace cuda {
namespace std {

inline constexpr ::std::size_t dynamic_extent = static_cast<::std::size_t>(-1);

template <class T, ::std::size_t n = dynamic_extent>
class span {
 public:
  using element_type = T;
  using value_type = ::std::remove_cv_t<T>;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using pointer = T*;
  using const_pointer = const T*;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using reverse_iterator = ::std::reverse_iterator<iterator>;
  static constexpr size_type extent = n;

  constexpr span() = default;
  constexpr span(T* data, size_type size) : data_(data), size_(size) {}
  constexpr span(T* first, T* last) : data_(first), size_(static_cast<size_type>(last - first)) {}
  template <size_type length>
  constexpr span(T (&array)[length]) : data_(array), size_(length) {}
  /// Converts anything with data() and size(), including other spans.
  template <class Range, class Element = ::std::remove_pointer_t<decltype(::std::declval<Range&>().data())>,
            class = decltype(::std::declval<Range&>().size()),
            class = ::std::enable_if_t<::std::is_convertible<Element (*)[], T (*)[]>::value>>
  constexpr span(Range&& range) : data_(range.data()), size_(range.size()) {}

  constexpr T* data() const { return data_; }
  constexpr size_type size() const { return size_; }
  constexpr size_type size_bytes() const { return size_ * sizeof(T); }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& operator[](size_type i) const { return data_[i]; }
  constexpr T& front() const { return data_[0]; }
  constexpr T& back() const { return data_[size_ - 1]; }
  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }

  constexpr span<T> first(size_type count) const { return {data_, count}; }
  constexpr span<T> last(size_type count) const { return {data_ + (size_ - count), count}; }
  constexpr span<T> subspan(size_type offset, size_type count = dynamic_extent) const {
    return {data_ + offset, count == dynamic_extent ? size_ - offset : count};
  }
  template <size_type count>
  constexpr span<T, count> first() const {
    return {data_, count};
  }
  template <size_type count>
  constexpr span<T, count> last() const {
    return {data_ + (size_ - count), count};
  }

 private:
  T* data_ = nullptr;
  size_type size_ = n == dynamic_extent ? 0 : n;
};

template <class T, ::std::size_t n>
span(T (&)[n]) -> span<T, n>;
template <class T>
span(T*, ::std::size_t) -> span<T>;
template <class Range>
span(Range&&) -> span<::std::remove_pointer_t<decltype(::std::declval<Range&>().data())>>;

}  // namespace std
}  // namespace cuda
#endif
