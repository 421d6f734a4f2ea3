// The contract of one problem: its parameters, its cases, the least cost of any implementation, and the ladder of
// rungs.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library/core/stages.hpp"
#include "rafter/stream.hpp"
#include "workbench/lab/data/comparator.hpp"
#include "workbench/lab/workload/cost.hpp"
#include "workbench/lab/workload/params.hpp"

namespace rafter::lab {

/// One case on one device: its rotating inputs, its outputs and the expected answers.
class Case {
 public:
  virtual ~Case() = default;
  virtual Cost cost() const = 0;
  virtual int n_input_sets() const = 0;

  /// Prepares a launch that will be checked: overwrites the outputs, so that elements left unwritten show, and restores
  /// arrays that are read and written.
  virtual void prepare(int input_set) = 0;

  /// Prepares a timed launch in the same way, except that the outputs hold random bits that follow from `secret`.
  virtual void prepare_timed(int input_set, std::uint64_t /*secret*/) { prepare(input_set); }

  /// Compares the outputs with the answers for an input set and checks the guard zones.
  virtual Comparison check(int input_set) = 0;

  /// Whether the outputs have exactly the bits of earlier results for this input set that were right, and the guard
  /// zones are intact. It takes less time than check().
  virtual bool is_known_right(int /*input_set*/) { return false; }

  /// Gives an input set other values, which follow from `secret`, and computes their answers. Returns false if the case
  /// cannot, now or later.
  virtual bool renew(int /*input_set*/, std::uint64_t /*secret*/) { return false; }

  /// Returns nullopt if all inputs are unchanged, otherwise a sentence; changed inputs are restored.
  virtual std::optional<std::string> changed_input() = 0;

  /// The stage timer of the rungs that run on this case; empty except during stage profiling.
  core::Stages stages{};
};

enum class RungKind { rung, peer };

/// The role of a rung: a step that leads to the public op, or the implementation of the op.
enum class Role { step, op };

/// Runs a rung on an input set. On a GPU it only enqueues work.
using RunRung = std::function<void(Case&, const Stream&, int input_set)>;

/// A rung defined outside of the family: a function of the arguments that the family's rungs take.
template <class Args>
using RungFunction = std::function<void(const Stream&, const Args&)>;

enum class Status {
  verified,     ///< correct before, during and after the timing
  wrong,        ///< a wrong answer; no time is shown
  refused,      ///< does not support this case, and gives the reason
  absent,       ///< not in this build
  failed,       ///< threw an error, such as a failed launch
  implausible,  ///< faster than any machine can be, so the measurement is invalid
  hazard,       ///< the answers are right, and the checker found races, which may make them wrong elsewhere
  suspicious,   ///< a user's rung that is faster than its floor, and nothing shows where its values come from
};
const char* name(Status status) noexcept;
/// The status of that name; implausible, which is no success, for any other word.
Status status_called(const std::string& word);

struct RungStatus {
  Status status = Status::verified;
  std::string reason{};  ///< the error if not verified, otherwise how the answers compared
};

/// The trust in a rung whose time is below the floor.
enum class Trust {
  own,       ///< a rung of this project or a peer
  proved,    ///< a user's rung; the checker saw where the values that it uses come from
  unproved,  ///< a user's rung otherwise
};

/// One implementation of a workload for one device.
struct Rung {
  std::string name;
  Device device = Device::cpu;
  RungKind kind = RungKind::rung;
  std::string idea;         ///< one sentence: the change and the reason
  std::string source_path;  ///< relative to the repository root; absolute for a family outside of it
  RunRung run{};            ///< empty if this build does not have the rung
  Role role = Role::step;
  std::optional<RungStatus> known{};  ///< from another process; the rung does not run again
  Trust trust = Trust::own;
  std::vector<std::string> allowed{};  ///< kinds of races that do not make it a hazard: "same_value_race"
};

struct CaseOptions {
  std::uint64_t seed = 1;
  int n_input_sets = 3;
  std::int64_t offset = 0;  ///< elements by which arrays are misaligned
};

enum class Effort { quick, normal };

struct Workload {
  std::string name;
  std::string summary;  ///< one line
  std::vector<Parameter> parameters;
  std::vector<Rung> rungs;  ///< naive first, the op last, followed by the peers
  std::function<std::vector<Params>(Device, Effort)> standard_cases;
  std::function<std::vector<Params>()> awkward_cases;  ///< sizes that break kernels
  std::function<std::vector<Params>()> huge_cases;     ///< past 2^31 elements
  std::function<std::unique_ptr<Case>(const Params&, const Stream&, const CaseOptions&)> make_case;
  std::function<double(const Params&)> bytes_per_input_set;  ///< memory per input set
  /// Converts a RungFunction of the family, which the std::any contains, to a function that runs on a case.
  std::function<RunRung(const std::any&)> adopt{};
  /// Whether an op refuses an awkward or huge case by contract; empty: it accepts all of them.
  std::function<bool(const Rung&, const Params&)> op_refuses{};
};

// These throw Error (bad_argument) that suggests similar names.
const Parameter& parameter_called(const Workload& workload, std::string_view name);
/// Returns the rungs for a device, or those with the given names, in the ladder's order.
std::vector<const Rung*> rungs_on(const Workload& workload, Device device, const std::vector<std::string>& only = {});

/// Returns all parameters of the workload: the given values, and defaults for the others.
Params complete(const Workload& workload, const Params& given);

}  // namespace rafter::lab
