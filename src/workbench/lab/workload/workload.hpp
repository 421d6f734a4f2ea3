// The contract of one problem: its parameters, its cases, what any implementation must cost, and the ladder of rungs.
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

/// One case on one device: its inputs in rotation, its outputs, and the answers it must give.
class Case {
 public:
  virtual ~Case() = default;
  virtual Cost cost() const = 0;
  virtual int n_input_sets() const = 0;

  /// Before a launch on an input set that is checked: overwrites the outputs, so that what a rung leaves unwritten
  /// shows, and restores what it reads and writes.
  virtual void prepare(int input_set) = 0;

  /// Holds the outputs against the answers for an input set; looks at guard zones too.
  virtual Comparison check(int input_set) = 0;

  /// Nothing when all inputs still are what they were; otherwise a sentence, and the inputs are put right for the next.
  virtual std::optional<std::string> changed_input() = 0;

  /// Who times the stages of the rungs that run on it; nobody, but while they are profiled.
  core::Stages stages{};
};

enum class RungKind { rung, peer };

/// Whether a rung leads to the public op or is what the op runs.
enum class Role { step, op };

/// Runs on an input set; enqueues only, on a GPU.
using RunRung = std::function<void(Case&, const Stream&, int input_set)>;

/// A rung that comes from outside: a function of what the rungs of a family take.
template <class Args>
using RungFunction = std::function<void(const Stream&, const Args&)>;

/// One implementation of a workload for one device.
struct Rung {
  std::string name;
  Device device = Device::cpu;
  RungKind kind = RungKind::rung;
  std::string idea;         ///< one sentence: what it changed and why
  std::string source_path;  ///< in the repository, below its root; of a family in a folder of its own, the whole path
  RunRung run{};            ///< empty when this build has no such rung
  Role role = Role::step;
};

struct CaseOptions {
  std::uint64_t seed = 1;
  int n_input_sets = 3;
  std::int64_t offset = 0;  ///< elements by which arrays are moved off their alignment
};

enum class Effort { quick, normal };

struct Workload {
  std::string name;
  std::string summary;  ///< one line
  std::vector<Parameter> parameters;
  std::vector<Rung> rungs;  ///< from the first naive one to the op; peers last
  std::function<std::vector<Params>(Device, Effort)> standard_cases;
  std::function<std::vector<Params>()> awkward_cases;  ///< sizes that break kernels
  std::function<std::vector<Params>()> huge_cases;     ///< past 2^31 elements
  std::function<std::unique_ptr<Case>(const Params&, const Stream&, const CaseOptions&)> make_case;
  std::function<double(const Params&)> bytes_per_input_set;  ///< memory a case needs for each
  /// How a RungFunction of the family's, which the any holds, runs on a case.
  std::function<RunRung(const std::any&)> adopt{};
};

// Both throw Error (bad_argument) that suggests near names.
const Parameter& parameter_called(const Workload& workload, std::string_view name);
/// The rungs for a device, or only those of the given names, in the ladder's order.
std::vector<const Rung*> rungs_on(const Workload& workload, Device device, const std::vector<std::string>& only = {});

/// All parameters of the workload: `given` where set, the standard values elsewhere.
Params complete(const Workload& workload, const Params& given);

}  // namespace rafter::lab
