// Tunables: launch parameters of ops that depend on the GPU more than on the algorithm, such as blocks per
// multiprocessor. The source gives their values by compute capability. `rafter tune` measures the alternatives and can
// store better ones for this GPU in a file, which is read once per process:
//
//   $RAFTER_TUNED, or rafter/tuned.tsv in $XDG_CONFIG_HOME or ~/.config
//   NVIDIA H200 <tab> sum.blocks_per_sm <tab> 3
//
// A line with an unknown name, or with a value that is not one of the alternatives, is ignored. Every alternative gives
// correct results; a sum may be rounded differently.
#pragma once

#include <array>
#include <atomic>
#include <initializer_list>
#include <string>
#include <vector>

namespace rafter::core {

class Tunable {
 public:
  /// The value for GPUs of at least this compute capability (times ten).
  struct Standard {
    int capability;
    int value;
  };

  /// Registers a tunable. `name` is FAMILY.PARAMETER; `standards` are ordered newest first, and the last also applies
  /// to older GPUs.
  Tunable(const char* name, const char* meaning, std::initializer_list<Standard> standards,
          std::initializer_list<int> alternatives);
  Tunable(const Tunable&) = delete;
  Tunable& operator=(const Tunable&) = delete;

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  const std::vector<int>& alternatives() const { return alternatives_; }
  bool allows(int value) const;

  /// Returns the value in the source.
  int standard(int capability) const;
  /// Returns the value for the current GPU: from a TunedScope, else from the file, else from the source.
  int value_here() const;
  /// Returns the value for a GPU without a name (the executor): from a TunedScope, else from the source.
  int value_for(int capability) const;

 private:
  friend class TunedScope;
  static constexpr int most_devices = 64;

  std::string name_, meaning_;
  std::vector<Standard> standards_;
  std::vector<int> alternatives_;
  mutable std::atomic<int> forced_ = 0;                             // 0: not forced
  mutable std::array<std::atomic<int>, most_devices> by_device_{};  // 0: not looked up yet
};

/// Sets the tunable's value in all threads for the lifetime of the scope.
class TunedScope {
 public:
  TunedScope(const Tunable& tunable, int value) : tunable_(tunable), before_(tunable.forced_.exchange(value)) {}
  ~TunedScope() { tunable_.forced_ = before_; }
  TunedScope(const TunedScope&) = delete;
  TunedScope& operator=(const TunedScope&) = delete;

 private:
  const Tunable& tunable_;
  int before_;
};

/// Returns the tunables of all ops in this program, linked or loaded, sorted by name.
std::vector<const Tunable*> tunables();

/// One line of the file of tuned values.
struct TunedValue {
  std::string gpu, name;
  int value = 0;
};

std::string tuned_path();
/// Reads a file of tuned values; returns none if it does not exist. Malformed lines are skipped.
std::vector<TunedValue> read_tuned(const std::string& path);
std::string tuned_text(const std::vector<TunedValue>& values);

/// Returns the model of the current GPU, such as "NVIDIA H200", or an empty string without a GPU.
std::string gpu_model();

}  // namespace rafter::core
