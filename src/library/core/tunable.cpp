#include "library/core/tunable.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#ifdef RAFTER_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace rafter::core {

namespace {

std::vector<const Tunable*>& registry() {
  static std::vector<const Tunable*> all;
  return all;
}

/// The contents of the file when it was first read.
const std::vector<TunedValue>& file_values() {
  static const std::vector<TunedValue> values = read_tuned(tuned_path());
  return values;
}

#ifdef RAFTER_WITH_CUDA
int current_device() {
  int device = 0;
  return cudaGetDevice(&device) == cudaSuccess ? device : -1;
}

int current_capability() {
  const int device = current_device();
  int major = 0, minor = 0;
  if (device < 0 || cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess)
    return 0;
  return 10 * major + minor;
}
#else
int current_device() { return -1; }
int current_capability() { return 0; }
#endif

}  // namespace

Tunable::Tunable(const char* name, const char* meaning, std::initializer_list<Standard> standards,
                 std::initializer_list<int> alternatives)
    : name_(name), meaning_(meaning), standards_(standards), alternatives_(alternatives) {
  // A loaded family replaces a built-in one of the same name.
  const auto same =
      std::find_if(registry().begin(), registry().end(), [&](const Tunable* other) { return other->name() == name_; });
  if (same != registry().end()) {
    *same = this;
  } else {
    registry().push_back(this);
  }
}

bool Tunable::allows(int value) const {
  return std::find(alternatives_.begin(), alternatives_.end(), value) != alternatives_.end();
}

int Tunable::standard(int capability) const {
  for (const Standard& standard : standards_) {
    if (capability >= standard.capability) return standard.value;
  }
  return standards_.back().value;
}

int Tunable::value_for(int capability) const {
  const int forced = forced_;
  return forced != 0 ? forced : standard(capability);
}

int Tunable::value_here() const {
  if (const int forced = forced_; forced != 0) return forced;
  const int device = current_device();
  if (device < 0 || device >= most_devices) return standard(current_capability());
  std::atomic<int>& known = by_device_[static_cast<std::size_t>(device)];
  if (const int value = known; value != 0) return value;
  int value = standard(current_capability());
  const std::string gpu = gpu_model();
  for (const TunedValue& line : file_values()) {
    if (line.gpu == gpu && line.name == name_ && allows(line.value)) value = line.value;
  }
  known = value;
  return value;
}

std::vector<const Tunable*> tunables() {
  std::vector<const Tunable*> all = registry();
  std::sort(all.begin(), all.end(), [](const Tunable* a, const Tunable* b) { return a->name() < b->name(); });
  return all;
}

std::string tuned_path() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string path = variable("RAFTER_TUNED"); !path.empty()) return path;
  const std::string config = variable("XDG_CONFIG_HOME");
  return (config.empty() ? variable("HOME") + "/.config" : config) + "/rafter/tuned.tsv";
}

std::vector<TunedValue> read_tuned(const std::string& path) {
  std::vector<TunedValue> values;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    TunedValue value;
    std::string number;
    if (line.starts_with("#") || !std::getline(words, value.gpu, '\t') || !std::getline(words, value.name, '\t') ||
        !std::getline(words, number))
      continue;
    value.value = std::atoi(number.c_str());
    values.push_back(value);
  }
  return values;
}

std::string tuned_text(const std::vector<TunedValue>& values) {
  std::string text =
      "# GPU, tunable, value: written by 'rafter tune --keep', read by the ops; see 'rafter tune --check'\n";
  for (const TunedValue& value : values)
    text += value.gpu + "\t" + value.name + "\t" + std::to_string(value.value) + "\n";
  return text;
}

std::string gpu_model() {
#ifdef RAFTER_WITH_CUDA
  cudaDeviceProp properties{};
  const int device = current_device();
  if (device >= 0 && cudaGetDeviceProperties(&properties, device) == cudaSuccess) return properties.name;
#endif
  return "";
}

}  // namespace rafter::core
