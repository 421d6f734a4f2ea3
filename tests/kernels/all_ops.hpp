// Every op whose family's tests are in this program, called once with known answers.
//
// A family's test file registers a sample of its op, so that the tests of streams and captures cover it:
//
//   class SumSample final : public OpSample { ... };
//   const RegisterOp<SumSample> sum_sample;
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "rafter/buffer.hpp"
#include "rafter/stream.hpp"

namespace rafter {

/// A call of an op with its arrays and known answers. The constructor takes the stream on whose device the arrays are,
/// their number of elements, and a small positive number from which the answers follow.
class OpSample {
 public:
  OpSample() = default;
  virtual ~OpSample() = default;
  OpSample(const OpSample&) = delete;
  OpSample& operator=(const OpSample&) = delete;

  /// Calls the op on `stream`.
  virtual void enqueue(const Stream& stream) = 0;
  /// Waits for the results, compares them with the answers, and overwrites them with zeros.
  virtual void check() = 0;

 protected:
  template <class T>
  static std::vector<T> filled(std::int64_t n, T value) {
    return std::vector<T>(static_cast<std::size_t>(n), value);
  }
  /// The indices n - 1, ..., 1, 0.
  static std::vector<std::int64_t> reversed_indices(std::int64_t n) {
    std::vector<std::int64_t> indices;
    for (std::int64_t i = n - 1; i >= 0; --i) indices.push_back(i);
    return indices;
  }
  /// Returns the contents of a buffer and overwrites them with zeros.
  template <class T>
  static std::vector<T> take(Buffer<T>& buffer) {
    std::vector<T> values(static_cast<std::size_t>(buffer.size()));
    buffer.copy_to(values);
    buffer.copy_from(std::vector<T>(values.size(), T{}));
    return values;
  }
};

using MakeOpSample = std::function<std::unique_ptr<OpSample>(const Stream& stream, std::int64_t n, int value)>;

/// The samples that the test files of this program have registered.
inline std::vector<MakeOpSample>& op_samples() {
  static std::vector<MakeOpSample> all;
  return all;
}

template <class Sample>
struct RegisterOp {
  RegisterOp() {
    op_samples().push_back(
        [](const Stream& stream, std::int64_t n, int value) { return std::make_unique<Sample>(stream, n, value); });
  }
};

/// All registered samples.
class AllOps {
 public:
  AllOps(const Stream& stream, std::int64_t n, int value) {
    for (const MakeOpSample& make : op_samples()) samples_.push_back(make(stream, n, value));
  }

  void enqueue(const Stream& stream) {
    for (const auto& sample : samples_) sample->enqueue(stream);
  }
  void check() {
    ASSERT_FALSE(samples_.empty());
    for (const auto& sample : samples_) sample->check();
  }

 private:
  std::vector<std::unique_ptr<OpSample>> samples_;
};

}  // namespace rafter
