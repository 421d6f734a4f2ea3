// Numbers of an op's launches that depend on the GPU more than on the algorithm, such as blocks for each
// multiprocessor. In the source they stand by compute capability; `rafter tune` measures the alternatives and may keep
// what is better on this GPU in a file, which is read once per process:
//
//   $RAFTER_TUNED, or rafter/tuned.tsv in $XDG_CONFIG_HOME or ~/.config
//   NVIDIA H200 <tab> sum.blocks_per_sm <tab> 3
//
// A line whose value is none of the alternatives, or whose name nobody knows, changes nothing. Every alternative gives
// right results; a sum may be rounded otherwise.
#pragma once

#include <array>
#include <atomic>
#include <initializer_list>
#include <string>
#include <vector>

namespace rafter::core {

class Tunable {
 public:
  /// For GPUs from a compute capability on, tenfold.
  struct Standard {
    int capability;
    int value;
  };

  /// `name` is FAMILY.WHAT; `standards` newest first, the last one for all that are older.
  Tunable(const char* name, const char* meaning, std::initializer_list<Standard> standards,
          std::initializer_list<int> alternatives);
  Tunable(const Tunable&) = delete;
  Tunable& operator=(const Tunable&) = delete;

  const std::string& name() const { return name_; }
  const std::string& meaning() const { return meaning_; }
  const std::vector<int>& alternatives() const { return alternatives_; }
  bool allows(int value) const;

  /// As it is in the source.
  int standard(int capability) const;
  /// On the current GPU: what a TunedScope says, or the file for a GPU of that name, or the source.
  int value_here() const;
  /// The same for a GPU that has no name: the executor's.
  int value_for(int capability) const;

 private:
  friend class TunedScope;
  static constexpr int most_devices = 64;

  std::string name_, meaning_;
  std::vector<Standard> standards_;
  std::vector<int> alternatives_;
  mutable std::atomic<int> forced_ = 0;                             // 0: nobody does
  mutable std::array<std::atomic<int>, most_devices> by_device_{};  // 0: not looked up yet
};

/// While it lives, the tunable has that value in all threads.
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

/// Those of all ops that are linked into this program or loaded by it, by name.
std::vector<const Tunable*> tunables();

/// One line of the file.
struct TunedValue {
  std::string gpu, name;
  int value = 0;
};

std::string tuned_path();
/// Empty where there is no such file. Lines that cannot be read are left out.
std::vector<TunedValue> read_tuned(const std::string& path);
std::string tuned_text(const std::vector<TunedValue>& values);

/// "NVIDIA H200" for the current GPU; empty where there is none.
std::string gpu_model();

}  // namespace rafter::core
