#include "apps/score/recordings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "apps/score/wav.hpp"
#include "base/files.hpp"
#include "rafter/error.hpp"

namespace rafter::score {

namespace {

namespace fs = std::filesystem;

template <class... Args>
[[noreturn]] void refuse_recording(fmt::format_string<Args...> text, Args&&... args) {
  throw Error(ErrorCode::bad_argument, fmt::format(text, std::forward<Args>(args)...));
}

bool is_wav(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
  return ending == ".wav";
}

}  // namespace

std::vector<fs::path> wav_files_of(const std::vector<std::string>& paths) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      files.emplace_back(path);
      continue;
    }
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
      if (entry.is_regular_file() && is_wav(entry.path())) found.push_back(entry.path());
    }
    if (found.empty()) refuse_recording("'{}' has no files FILE.wav", path);
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  std::vector<fs::path> sorted = files;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    refuse_recording("'{}' is named twice", twice->string());
  return files;
}

RecordedWindows::RecordedWindows(std::vector<fs::path> files, const RecordingParameters& parameters,
                                 const SpectralShape& shape)
    : files_(std::move(files)),
      parameters_(parameters),
      frames_(shape.frames),
      spectra_of_((require_mel_parameters(parameters.mel), parameters.mel)) {
  for (const fs::path& file : files_) {
    n_windows_.push_back(n_windows_of(file));
    n_ += n_windows_.back();
  }
}

std::int64_t RecordedWindows::n_windows_of(const fs::path& file) const {
  const WavFile wav(file);
  if (wav.sample_rate() != parameters_.mel.sample_rate)
    refuse_recording("'{}' has {} samples a second, and the training had {}: resample it", file.string(),
                     wav.sample_rate(), parameters_.mel.sample_rate);
  if (wav.n_channels() > 1 && !parameters_.channel && !parameters_.is_mean)
    refuse_recording("'{}' has {} channels: --channel 0 takes the first, --channel mean their mean", file.string(),
                     wav.n_channels());
  const std::int64_t n_frames = n_mel_frames(parameters_.mel, wav.n_samples());
  if (n_frames < frames_)
    refuse_recording("'{}' has {} samples, which are {} frames; a window of the model has {}", file.string(),
                     wav.n_samples(), n_frames, frames_);
  return 1 + (n_frames - frames_) / parameters_.window_hop;
}

std::string RecordedWindows::description() const {
  return fmt::format("of {} recording{}, {}", files_.size(), files_.size() == 1 ? "" : "s", parameters_.mel.text());
}

void RecordedWindows::read(std::span<float> windows) {
  const std::int64_t mels = parameters_.mel.n_mels, window_values = frames_ * mels;
  while (!windows.empty()) {
    if (next_window_ == current_windows_) {
      const WavFile wav(files_[next_file_]);
      spectra_ = spectra_of_(wav.read(parameters_.channel));
      current_windows_ = n_windows_[next_file_++];
      next_window_ = 0;
      const std::int64_t last = (current_windows_ - 1) * parameters_.window_hop + frames_;
      if (std::ssize(spectra_) < last * mels)
        refuse_recording("'{}' changed while it was read", files_[next_file_ - 1].string());
    }
    const float* begin = spectra_.data() + next_window_ * parameters_.window_hop * mels;
    std::copy(begin, begin + window_values, windows.begin());
    windows = windows.subspan(static_cast<std::size_t>(window_values));
    ++next_window_;
  }
}

std::vector<std::int64_t> RecordedWindows::recording_ids() const {
  std::vector<std::int64_t> ids;
  for (std::size_t i = 0; i < n_windows_.size(); ++i)
    ids.insert(ids.end(), static_cast<std::size_t>(n_windows_[i]), static_cast<std::int64_t>(i));
  return ids;
}

std::vector<std::int64_t> RecordedWindows::labels(const std::string& path) const {
  const auto text = base::read_file(path);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", path));
  std::map<std::string, std::vector<std::size_t>> by_name;  // recordings by path and by name
  for (std::size_t i = 0; i < files_.size(); ++i) {
    by_name[files_[i].string()].push_back(i);
    if (files_[i].filename() != files_[i]) by_name[files_[i].filename().string()].push_back(i);
  }
  std::vector<std::int64_t> labels(files_.size(), -1);
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    const std::size_t comma = line.rfind(',');
    const std::string name = line.substr(0, comma), label = comma == std::string::npos ? "" : line.substr(comma + 1);
    if (line.empty() || (number == 1 && label == "label")) continue;
    if (label != "0" && label != "1")
      refuse_recording("'{}' line {}: expected FILE,0 (normal) or FILE,1 (an anomaly)", path, number);
    const auto found = by_name.find(name);
    if (found == by_name.end()) refuse_recording("'{}' line {}: no recording is called '{}'", path, number, name);
    if (found->second.size() > 1)
      refuse_recording("'{}' line {}: {} recordings are called '{}'; give the path", path, number, found->second.size(),
                       name);
    labels[found->second.front()] = label == "1" ? 1 : 0;
  }
  const auto missing = std::find(labels.begin(), labels.end(), -1);
  if (missing != labels.end())
    refuse_recording("'{}' has no label of '{}'", path,
                     files_[static_cast<std::size_t>(missing - labels.begin())].string());
  std::vector<std::int64_t> of_windows;
  for (std::size_t i = 0; i < labels.size(); ++i)
    of_windows.insert(of_windows.end(), static_cast<std::size_t>(n_windows_[i]), labels[i]);
  return of_windows;
}

}  // namespace rafter::score
