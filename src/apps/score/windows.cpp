#include "apps/score/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/input_file.hpp"
#include "library/core/cpu/blocks.hpp"
#include "rafter/half.hpp"

namespace rafter::score {

namespace {

std::int64_t n_windows(const base::NpyFile& file, const SpectralShape& model) {
  const std::vector<std::int64_t>& shape = file.shape();
  const bool has_frames = shape.size() == 3 && shape[1] == model.frames && shape[2] == model.mels;
  const bool is_flat = shape.size() == 2 && shape[1] == model.window();
  if (!has_frames && !is_flat) {
    file.refuse(fmt::format("has the shape {}; expected windows for this model, (N, {}, {}) or (N, {})",
                            base::show_shape(shape), model.frames, model.mels, model.window()));
  }
  return shape[0];
}

base::NpyFile opened(const std::string& path, std::function<bool()> stop) {
  auto stream = std::make_unique<base::InputStream>(path, std::move(stop));
  const auto n_bytes = stream->n_bytes();
  return {std::move(stream), n_bytes, base::names_stdin(path) ? "/dev/stdin" : path};
}

}  // namespace

WindowFile::Source WindowFile::source_of(const base::NpyFile& file) {
  if (file.type() == "<f2") return Source::float16;
  if (file.type() == "<f4") return Source::float32;
  if (file.type() == "<f8") return Source::float64;
  file.refuse(fmt::format(
      "has elements of type '{}'; expected float16, float32 or float64 ('<f4'): save x.astype('<f4')", file.type()));
}

WindowFile::WindowFile(const std::string& path, const SpectralShape& shape, std::function<bool()> stop)
    : path_(path), file_(opened(path, std::move(stop))), source_(source_of(file_)), n_(n_windows(file_, shape)) {
  file_.n_values(source_ == Source::float16 ? 2 : source_ == Source::float32 ? 4 : 8);
}

std::string WindowFile::description() const {
  constexpr const char* names[] = {"float16", "float32", "float64"};
  return fmt::format("{}, from {}", names[static_cast<int>(source_)], path_);
}

void WindowFile::read(std::span<float> windows) {
  switch (source_) {
    case Source::float16:
      read_converted<Half>(windows, [](const std::vector<Half>& from, std::span<float> to) {
        core::widen(from.data(), std::ssize(to), to.data());
      });
      break;
    case Source::float32: file_.read(std::as_writable_bytes(windows)); break;
    case Source::float64:
      read_converted<double>(windows, [](const std::vector<double>& from, std::span<float> to) {
        std::transform(from.begin(), from.begin() + std::ssize(to), to.begin(),
                       [](double value) { return static_cast<float>(value); });
      });
  }
}

template <class T, class Convert>
void WindowFile::read_converted(std::span<float> windows, const Convert& convert) {
  std::vector<T> block(std::min<std::size_t>(windows.size(), 1 << 16));  // fits a cache
  while (!windows.empty()) {
    const std::size_t n = std::min(block.size(), windows.size());
    file_.read(std::as_writable_bytes(std::span(block).first(n)));
    convert(block, windows.first(n));
    windows = windows.subspan(n);
  }
}

}  // namespace rafter::score
