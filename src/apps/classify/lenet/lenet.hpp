// LeNet: two convolutions with few channels and two fully connected layers, for images of 86 x 86 pixels and ten
// classes. A common exercise of CUDA courses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "rafter/buffer.hpp"
#include "rafter/conv.hpp"
#include "rafter/device_span.hpp"
#include "rafter/stream.hpp"

namespace rafter::classify {

/// The weights and biases of the four layers, in the order of the file format.
struct LenetWeights {
  std::array<float, 4 * 1 * 7 * 7> conv1{};   ///< [map][channel][row][column]
  std::array<float, 4> conv1_bias{};          ///< [map]
  std::array<float, 16 * 4 * 7 * 7> conv2{};  ///< [map][channel][row][column]
  std::array<float, 16> conv2_bias{};         ///< [map]
  std::array<float, 32 * 16 * 9 * 9> fc1{};   ///< [out][map][row][column]
  std::array<float, 32> fc1_bias{};           ///< [out]
  std::array<float, 10 * 32> fc2{};           ///< [out][in]
  std::array<float, 10> fc2_bias{};           ///< [out]

  bool operator==(const LenetWeights&) const = default;
};

/// Reads a weight file. All values are little endian: an int32 with the number of layers, 10, then for each layer an
/// int32 with the number of its values and as many float32, weights before biases. The numbers are 200, 0, 0, 3152, 0,
/// 0, 41504, 0, 330, 0; the layers without values are ReLU, pooling and softmax. Throws Error (io) when the file cannot
/// be read. Throws Error (bad_argument) for an invalid file or values that are not finite, with the offset of the
/// invalid byte and what was expected there.
[[nodiscard]] LenetWeights read_lenet_weights(const std::string& path);

/// Parses such a file in memory. Messages call it `name`.
[[nodiscard]] LenetWeights parse_lenet_weights(std::span<const std::byte> file, const std::string& name);

/// Writes such a file atomically. Throws Error (io).
void write_lenet_weights(const std::string& path, const LenetWeights& weights);

/// The classification of an image.
struct LenetResult {
  std::int32_t label = -1;  ///< the most probable class, 0 to 9, the lowest of several; -1 if the outputs have a NaN
  std::array<float, 10> probabilities{};  ///< softmax of the last layer; all NaN if it has a NaN or an infinity

  bool operator==(const LenetResult&) const = default;
};

struct LenetOptions {
  /// The precision of the convolutions' products; the CPU supports fp32 only. Everything else is float32.
  ConvPrecision precision = ConvPrecision::fp32;
  /// The images processed at a time, which determines the memory taken. 0: 2048 on a GPU, 256 on a CPU.
  std::int64_t batch = 0;
};

/// A network on a device:
///
///   conv1 1 -> 4, 7 x 7    86 x 86 -> 80 x 80, bias, ReLU, max pool 2 x 2          -> [4][40][40]
///   conv2 4 -> 16, 7 x 7   40 x 40 -> 34 x 34, bias, ReLU, max pool 4 x 4 (ceil)   -> [16][9][9]
///   fc1 1296 -> 32         bias, ReLU
///   fc2 32 -> 10           bias, softmax
///
/// Takes memory for one batch between the layers, 60 KB per image. All functions enqueue on the model's stream and do
/// not wait. The caller owns all arrays, in memory of the stream's device. More images than a batch are processed in
/// several batches. An image's result depends neither on the other images nor on the batch size. May be captured in a
/// CUDA graph after the same call has run once. The functions throw Error (bad_argument) when sizes do not fit or a
/// pointer is null or misaligned.
///
/// Only one thread at a time may use an object.
class Lenet {
 public:
  static constexpr std::int64_t image_side = 86;
  static constexpr std::int64_t image_pixels = image_side * image_side;
  static constexpr std::int64_t conv1_outputs = 4 * 40 * 40;
  static constexpr std::int64_t conv2_outputs = 16 * 9 * 9;
  static constexpr int n_classes = 10;

  /// Copies the weights to the device and waits for the copy. Throws Error (bad_argument) for a negative batch,
  /// (unsupported) for a precision that the device does not have, (out_of_memory).
  Lenet(const Stream& stream, const LenetWeights& weights, const LenetOptions& options = {});

  [[nodiscard]] const Stream& stream() const noexcept { return stream_; }
  [[nodiscard]] ConvPrecision precision() const noexcept { return precision_; }
  [[nodiscard]] std::int64_t batch() const noexcept { return batch_; }

  /// Classifies images, [n][86][86], with pixels from 0 to 255; bytes are widened on the device.
  void run(DeviceSpan<const float> images, DeviceSpan<LenetResult> results);
  void run(DeviceSpan<const std::uint8_t> images, DeviceSpan<LenetResult> results);

  // The layers individually, for any number of images.
  void conv1(DeviceSpan<const float> images, DeviceSpan<float> out) const;  ///< [n][86][86] -> [n][4][40][40]
  void conv2(DeviceSpan<const float> in, DeviceSpan<float> out) const;      ///< -> [n][16][9][9]
  void classify(DeviceSpan<const float> in,
                DeviceSpan<LenetResult> results) const;  ///< fc1, fc2, softmax; `in` is 16-byte aligned

 private:
  template <class Pixel>
  void run_batches(DeviceSpan<const Pixel> images, DeviceSpan<LenetResult> results);
  void run_batch(DeviceSpan<const float> images, DeviceSpan<LenetResult> results);

  Stream stream_;
  ConvPrecision precision_;
  std::int64_t batch_;
  Buffer<LenetWeights> weights_;
  Buffer<float> pixels_;  // images of bytes, widened
  Buffer<float> conv1_out_;
  Buffer<float> conv2_out_;
};

}  // namespace rafter::classify
