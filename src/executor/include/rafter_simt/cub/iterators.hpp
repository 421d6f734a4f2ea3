// CUB's iterators: each defines the value at an offset; a common base class moves the offset.
#pragma once

#include "rafter_simt/api/runtime_api.hpp"
#include "rafter_simt/cub/thread.hpp"

namespace rafter_simt {
namespace collective {

template <class Derived, class Value, class Reference, class Offset>
class OffsetIterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = Value;
  using reference = Reference;
  using pointer = Value*;
  using difference_type = Offset;

  Reference operator*() const { return self().at(offset_); }
  template <class N>
  Reference operator[](N n) const {
    return self().at(offset_ + static_cast<Offset>(n));
  }
  template <class N>
  Derived operator+(N n) const {
    Derived moved = self();
    moved.offset_ += static_cast<Offset>(n);
    return moved;
  }
  template <class N>
  Derived operator-(N n) const {
    return *this + -static_cast<Offset>(n);
  }
  template <class N>
  Derived& operator+=(N n) {
    return self() = *this + n;
  }
  template <class N>
  Derived& operator-=(N n) {
    return self() = *this - n;
  }
  Derived& operator++() { return *this += 1; }
  Derived& operator--() { return *this -= 1; }
  Derived operator++(int) {
    Derived old = self();
    ++*this;
    return old;
  }
  Derived operator--(int) {
    Derived old = self();
    --*this;
    return old;
  }
  Offset operator-(const Derived& other) const { return offset_ - other.offset_; }
  bool operator==(const Derived& other) const { return offset_ == other.offset_; }
  bool operator!=(const Derived& other) const { return offset_ != other.offset_; }
  bool operator<(const Derived& other) const { return offset_ < other.offset_; }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  const Derived& self() const { return static_cast<const Derived&>(*this); }

  Offset offset_ = 0;
};

struct Discard {
  template <class T>
  const Discard& operator=(const T&) const {
    return *this;
  }
};

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

namespace detail {
template <class Derived, class Value, class Offset, class Reference = Value>
using OffsetIterator = rafter_simt::collective::OffsetIterator<Derived, Value, Reference, Offset>;
}

template <class T, class Offset = std::ptrdiff_t>
class CountingInputIterator : public detail::OffsetIterator<CountingInputIterator<T, Offset>, T, Offset> {
 public:
  CountingInputIterator(const T& first) : first_(first) {}
  T at(Offset i) const { return static_cast<T>(first_ + static_cast<T>(i)); }

 private:
  T first_;
};

template <class T, class Offset = std::ptrdiff_t>
class ConstantInputIterator : public detail::OffsetIterator<ConstantInputIterator<T, Offset>, T, Offset> {
 public:
  ConstantInputIterator(const T& value, Offset = 0) : value_(value) {}
  T at(Offset) const { return value_; }

 private:
  T value_;
};

template <class T, class Op, class Input, class Offset = std::ptrdiff_t>
class TransformInputIterator : public detail::OffsetIterator<TransformInputIterator<T, Op, Input, Offset>, T, Offset> {
 public:
  TransformInputIterator(Input input, Op op) : input_(input), op_(op) {}
  T at(Offset i) const { return static_cast<T>(op_(input_[i])); }

 private:
  Input input_;
  mutable Op op_;
};

template <class Input, class Offset = std::ptrdiff_t, class T = rafter_simt::collective::ValueOfT<Input>>
class ArgIndexInputIterator
    : public detail::OffsetIterator<ArgIndexInputIterator<Input, Offset, T>, KeyValuePair<Offset, T>, Offset> {
 public:
  ArgIndexInputIterator(Input input, Offset first = 0) : input_(input), first_(first) {}
  KeyValuePair<Offset, T> at(Offset i) const { return {first_ + i, static_cast<T>(input_[first_ + i])}; }
  void normalize() {
    input_ = input_ + first_;
    first_ = 0;
  }

 private:
  Input input_;
  Offset first_;
};

template <CacheLoadModifier modifier, class T, class Offset = std::ptrdiff_t>
class CacheModifiedInputIterator
    : public detail::OffsetIterator<CacheModifiedInputIterator<modifier, T, Offset>, T, Offset> {
 public:
  template <class U>
  CacheModifiedInputIterator(U* from) : from_(from) {}
  T at(Offset i) const { return ThreadLoad<modifier>(from_ + i); }

 private:
  const T* from_;
};

template <CacheStoreModifier modifier, class T, class Offset = std::ptrdiff_t>
class CacheModifiedOutputIterator
    : public detail::OffsetIterator<CacheModifiedOutputIterator<modifier, T, Offset>, void, Offset, T&> {
 public:
  template <class U>
  CacheModifiedOutputIterator(U* to) : to_(to) {}
  T& at(Offset i) const { return to_[i]; }

 private:
  T* to_;
};

/// Texture reads are plain reads here.
template <class T, class Offset = std::ptrdiff_t>
class TexObjInputIterator : public detail::OffsetIterator<TexObjInputIterator<T, Offset>, T, Offset> {
 public:
  template <class U>
  cudaError_t BindTexture(U* from, std::size_t = 0, std::size_t = 0) {
    from_ = from;
    return cudaSuccess;
  }
  cudaError_t UnbindTexture() { return cudaSuccess; }
  T at(Offset i) const { return from_[i]; }

 private:
  const T* from_ = nullptr;
};

template <class Offset = std::ptrdiff_t>
class DiscardOutputIterator : public detail::OffsetIterator<DiscardOutputIterator<Offset>, void, Offset,
                                                            const rafter_simt::collective::Discard> {
 public:
  DiscardOutputIterator(Offset = 0) {}
  const rafter_simt::collective::Discard at(Offset) const { return {}; }
};

}  // namespace cub
