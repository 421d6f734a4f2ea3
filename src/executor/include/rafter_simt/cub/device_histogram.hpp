// cub::DeviceHistogram: samples of one or several channels, in rows or in a single sequence.
#pragma once

#include "rafter_simt/cub/device_call.hpp"

namespace rafter_simt {
namespace collective {

/// Bins of equal width over [lower, upper); -1 for samples outside.
template <class Level>
struct EvenBins {
  template <class Sample>
  int operator()(Sample sample) const {
    using Common = std::common_type_t<Level, Sample>;
    const Common value = static_cast<Common>(sample), low = static_cast<Common>(lower);
    if (!(value >= low) || !(value < static_cast<Common>(upper))) return -1;
    const Common width = static_cast<Common>(upper) - low;
    if constexpr (std::is_integral<Common>::value)
      return static_cast<int>(static_cast<unsigned long long>(value - low) * static_cast<unsigned>(n_bins) /
                              static_cast<unsigned long long>(width));
    else
      return static_cast<int>((value - low) * (static_cast<Common>(n_bins) / width));
  }

  int n_bins;
  Level lower, upper;
};

/// Bins between adjacent levels, which ascend.
template <class Level>
struct RangeBins {
  template <class Sample>
  int operator()(Sample sample) const {
    int low = 0, high = n_bins + 1;  // the number of levels <= sample is in [low, high]
    while (low < high) {
      const int middle = (low + high) / 2;
      if (levels[middle] <= static_cast<Level>(sample))
        low = middle + 1;
      else
        high = middle;
    }
    return low == 0 || low == n_bins + 1 ? -1 : low - 1;
  }

  int n_bins;
  const Level* levels;
};

template <class Offset>
struct SampleRows {
  Offset n_pixels;
  Offset n_rows;
  std::size_t stride_bytes;
};

template <int n_channels, int n_active, class Samples, class Counter, class Bins, class Offset>
cudaError_t count_samples(const DeviceCall& call, Samples samples, Counter* const* histograms, const Bins* bins,
                          SampleRows<Offset> rows) {
  struct Channels {
    Counter* histogram[n_active];
    Bins bins[n_active];
  } channels;
  for (int c = 0; c < n_active; ++c) channels.histogram[c] = histograms[c], channels.bins[c] = bins[c];
  return run_on_device(call, 0, [=] {
    for (int c = 0; c < n_active; ++c)
      for (int bin = 0; bin < channels.bins[c].n_bins; ++bin) channels.histogram[c][bin] = Counter(0);
    const long long stride = static_cast<long long>(rows.stride_bytes / sizeof(ValueOfT<Samples>));
    for (long long row = 0; row < static_cast<long long>(rows.n_rows); ++row)
      for (long long pixel = 0; pixel < static_cast<long long>(rows.n_pixels); ++pixel)
        for (int c = 0; c < n_active; ++c) {
          const int bin = channels.bins[c](samples[row * stride + pixel * n_channels + c]);
          if (bin >= 0) ++channels.histogram[c][bin];
        }
  });
}

}  // namespace collective
}  // namespace rafter_simt

namespace cub {

struct DeviceHistogram {
  template <class Samples, class Counter, class Level, class Offset>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, Samples samples, Counter* histogram, int num_levels,
                                   Level lower, Level upper, Offset n, cudaStream_t stream = nullptr) {
    return HistogramEven(temp, bytes, samples, histogram, num_levels, lower, upper, n, Offset(1), std::size_t{0},
                         stream);
  }
  template <class Samples, class Counter, class Level, class Offset>
  static cudaError_t HistogramEven(void* temp, std::size_t& bytes, Samples samples, Counter* histogram, int num_levels,
                                   Level lower, Level upper, Offset n_per_row, Offset n_rows, std::size_t stride_bytes,
                                   cudaStream_t stream = nullptr) {
    return MultiHistogramEven<1, 1>(temp, bytes, samples, &histogram, &num_levels, &lower, &upper, n_per_row, n_rows,
                                    stride_bytes, stream);
  }
  template <int n_channels, int n_active, class Samples, class Counter, class Level, class Offset>
  static cudaError_t MultiHistogramEven(void* temp, std::size_t& bytes, Samples samples, Counter** histogram,
                                        const int* num_levels, const Level* lower, const Level* upper, Offset n,
                                        cudaStream_t stream = nullptr) {
    return MultiHistogramEven<n_channels, n_active>(temp, bytes, samples, histogram, num_levels, lower, upper, n,
                                                    Offset(1), std::size_t{0}, stream);
  }
  template <int n_channels, int n_active, class Samples, class Counter, class Level, class Offset>
  static cudaError_t MultiHistogramEven(void* temp, std::size_t& bytes, Samples samples, Counter** histogram,
                                        const int* num_levels, const Level* lower, const Level* upper, Offset n_per_row,
                                        Offset n_rows, std::size_t stride_bytes, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    parts::EvenBins<Level> bins[n_active];
    for (int c = 0; c < n_active; ++c) bins[c] = {num_levels[c] - 1, lower[c], upper[c]};
    return parts::count_samples<n_channels, n_active>({"cub::DeviceHistogram", temp, bytes, stream}, samples, histogram,
                                                      bins, parts::SampleRows<Offset>{n_per_row, n_rows, stride_bytes});
  }
  template <class Samples, class Counter, class Level, class Offset>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, Samples samples, Counter* histogram, int num_levels,
                                    const Level* levels, Offset n, cudaStream_t stream = nullptr) {
    return HistogramRange(temp, bytes, samples, histogram, num_levels, levels, n, Offset(1), std::size_t{0}, stream);
  }
  template <class Samples, class Counter, class Level, class Offset>
  static cudaError_t HistogramRange(void* temp, std::size_t& bytes, Samples samples, Counter* histogram, int num_levels,
                                    const Level* levels, Offset n_per_row, Offset n_rows, std::size_t stride_bytes,
                                    cudaStream_t stream = nullptr) {
    return MultiHistogramRange<1, 1>(temp, bytes, samples, &histogram, &num_levels, &levels, n_per_row, n_rows,
                                     stride_bytes, stream);
  }
  template <int n_channels, int n_active, class Samples, class Counter, class Level, class Offset>
  static cudaError_t MultiHistogramRange(void* temp, std::size_t& bytes, Samples samples, Counter** histogram,
                                         const int* num_levels, const Level* const* levels, Offset n,
                                         cudaStream_t stream = nullptr) {
    return MultiHistogramRange<n_channels, n_active>(temp, bytes, samples, histogram, num_levels, levels, n, Offset(1),
                                                     std::size_t{0}, stream);
  }
  template <int n_channels, int n_active, class Samples, class Counter, class Level, class Offset>
  static cudaError_t MultiHistogramRange(void* temp, std::size_t& bytes, Samples samples, Counter** histogram,
                                         const int* num_levels, const Level* const* levels, Offset n_per_row,
                                         Offset n_rows, std::size_t stride_bytes, cudaStream_t stream = nullptr) {
    namespace parts = rafter_simt::collective;
    parts::RangeBins<Level> bins[n_active];
    for (int c = 0; c < n_active; ++c) bins[c] = {num_levels[c] - 1, levels[c]};
    return parts::count_samples<n_channels, n_active>({"cub::DeviceHistogram", temp, bytes, stream}, samples, histogram,
                                                      bins, parts::SampleRows<Offset>{n_per_row, n_rows, stride_bytes});
  }
};

}  // namespace cub
