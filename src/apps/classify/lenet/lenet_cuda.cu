// LeNet's layers on a GPU: conv's rung, the conversion of bytes to floats, and the classifier, whose tile is the
// largest one that still gives every multiprocessor a block.
#include "apps/classify/lenet/lenet_classifier.cuh"

namespace rafter::conv_ladder::RAFTER_BACKEND {
extern const ConvRung by_shape;
}

namespace rafter::classify::lenet::RAFTER_BACKEND {

namespace {

/// The launch numbers. Heuristics: 64 and 16 images per multiprocessor give it two blocks of 32 images or one of 16.
/// LeNet has no workload, so 'rafter tune' cannot reach them; 'rafter classify --device cuda' measures the classifier.
struct LenetPolicy {
  static constexpr int widen_threads = 256;
  static constexpr int images_per_sm_for_32 = 64;  // from so many images on, tiles of 32
  static constexpr int images_per_sm_for_16 = 16;  // from so many images on, tiles of 16; below, of 8
};

/// Converts four bytes per thread. The last bytes, and all bytes of an array that is not 4-byte aligned, are converted
/// one by one. Bound by DRAM: 1 byte in, 4 bytes out.
__global__ void widen_bytes(const std::uint8_t* bytes, std::int64_t n, float* out) {
  const std::int64_t i = (std::int64_t{blockIdx.x} * LenetPolicy::widen_threads + threadIdx.x) * 4;
  if (i + 4 <= n && reinterpret_cast<std::uintptr_t>(bytes) % 4 == 0) {
    const uchar4 four = *reinterpret_cast<const uchar4*>(bytes + i);
    *reinterpret_cast<float4*>(out + i) = make_float4(four.x, four.y, four.z, four.w);
  } else {
    for (std::int64_t k = i; k < min(i + 4, n); ++k) out[k] = bytes[k];
  }
}

void widen(const Stream& stream, const std::uint8_t* bytes, std::int64_t n, float* out) {
  constexpr int threads = LenetPolicy::widen_threads;
  core::launch(widen_bytes, ceil_div(n, 4 * threads), threads, 0, stream, bytes, n, out);
}

void classify(const Stream& stream, const ClassifierArgs& args) {
  const auto has = [&](int images_per_sm) {
    return args.n >= std::int64_t{images_per_sm} * stream.n_multiprocessors();
  };
  if (has(LenetPolicy::images_per_sm_for_32)) return classify_tiles<32>(stream, args);
  if (has(LenetPolicy::images_per_sm_for_16)) return classify_tiles<16>(stream, args);
  classify_tiles<8>(stream, args);
}

}  // namespace

template void classify_tiles<8>(const Stream&, const ClassifierArgs&);
template void classify_tiles<16>(const Stream&, const ClassifierArgs&);
template void classify_tiles<32>(const Stream&, const ClassifierArgs&);

extern const Layers layers{conv_ladder::RAFTER_BACKEND::by_shape, widen, classify};

}  // namespace rafter::classify::lenet::RAFTER_BACKEND
