// LeNet, as a course on CUDA has it: two convolutions of few channels and two fully connected layers, for images of
// 86 x 86 pixels and ten classes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "rafter/buffer.hpp"
#include "rafter/conv.hpp"
#include "rafter/stream.hpp"

namespace rafter {

/// The numbers of a trained network: weights and biases of its four layers, one behind the other as files have them.
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

/// Reads a weight file: all little endian, an int32 with the number of layers, 10, then for each an int32 with the
/// number of its values and as many float32: 200, 0, 0, 3152, 0, 0, 41504, 0, 330, 0 (layers without any are ReLU,
/// pooling and softmax), weights before biases. Throws Error (io) for what cannot be read and (bad_argument) for what
/// is no such file, with the byte where it is none and what was expected there; numbers that are not finite, too.
LenetWeights read_lenet_weights(const std::string& path);

/// The same from memory; `name` is what messages call it.
LenetWeights parse_lenet_weights(std::span<const std::byte> file, const std::string& name);

/// Writes such a file, which is whole or not there. Throws Error (io).
void write_lenet_weights(const std::string& path, const LenetWeights& weights);

/// What the network says of an image.
struct LenetResult {
  std::int32_t label = -1;  ///< the most probable class, 0 to 9; the first of equals. -1: there is none, for NaN
  std::array<float, 10> probabilities{};  ///< softmax of the last layer; all NaN if a part of it is NaN or infinite

  bool operator==(const LenetResult&) const = default;
};

struct LenetOptions {
  /// Of the convolutions' products; on the CPU there is fp32 alone. The rest is float32 in any case.
  ConvPrecision precision = ConvPrecision::fp32;
  /// Images that pass through the layers at a time, for which there is memory; 0: 2048 on a GPU, 256 on a CPU.
  std::int64_t batch = 0;
};

/// A network on a device, made once:
///
///   conv1 1 -> 4, 7 x 7    86 x 86 -> 80 x 80, bias, ReLU, max pool 2 x 2          -> [4][40][40]
///   conv2 4 -> 16, 7 x 7   40 x 40 -> 34 x 34, bias, ReLU, max pool 4 x 4 (ceil)   -> [16][9][9]
///   fc1 1296 -> 32         bias, ReLU
///   fc2 32 -> 10           bias, softmax
///
/// Takes memory for one batch between the layers, 60 KB an image. All functions enqueue on the model's stream and wait
/// for nothing; arrays are the caller's, on the stream's device. More images than a batch are run in several. An
/// image's result depends neither on the images beside it nor on the batch. May be captured in a CUDA graph, once the
/// same has run before. Throw Error (bad_argument) when sizes do not fit or a pointer is null or misaligned.
class Lenet {
 public:
  static constexpr std::int64_t image_side = 86;
  static constexpr std::int64_t image_pixels = image_side * image_side;
  static constexpr std::int64_t conv1_outputs = 4 * 40 * 40;
  static constexpr std::int64_t conv2_outputs = 16 * 9 * 9;
  static constexpr int n_classes = 10;

  /// Copies the weights and waits for it. Throws Error (bad_argument) for a negative batch, (unsupported) for a
  /// precision that the device does not have, (out_of_memory).
  Lenet(const Stream& stream, const LenetWeights& weights, const LenetOptions& options = {});

  const Stream& stream() const noexcept { return stream_; }
  ConvPrecision precision() const noexcept { return precision_; }
  std::int64_t batch() const noexcept { return batch_; }

  /// Images are [n][86][86], pixels from 0 to 255; bytes are widened on the device.
  void run(std::span<const float> images, std::span<LenetResult> results);
  void run(std::span<const std::uint8_t> images, std::span<LenetResult> results);

  // The layers by themselves, for any number of images.
  void conv1(std::span<const float> images, std::span<float> out) const;  ///< [n][86][86] -> [n][4][40][40]
  void conv2(std::span<const float> in, std::span<float> out) const;      ///< -> [n][16][9][9]
  void classify(std::span<const float> in,
                std::span<LenetResult> results) const;  ///< fc1, fc2, softmax; `in` is 16-byte aligned

 private:
  template <class Pixel>
  void run_batches(std::span<const Pixel> images, std::span<LenetResult> results);
  void run_batch(std::span<const float> images, std::span<LenetResult> results);

  Stream stream_;
  ConvPrecision precision_;
  std::int64_t batch_;
  Buffer<LenetWeights> weights_;
  Buffer<float> pixels_;  // of images of bytes
  Buffer<float> conv1_out_;
  Buffer<float> conv2_out_;
};

}  // namespace rafter
