// heat: the contract, and the ladder.
#include <cmath>

#include "heat/heat_rung.hpp"
#include "lab/workload/old_ladder.hpp"

#define HEAT_LADDER(RUNG, OP, PEER)                                                                                    \
  RUNG(cpu, textbook, "Classical RK4: four slopes and their sum, plain loops.")                                        \
  RUNG(cpu, horner, "L is linear: the stages nest, four sweeps without slopes.")                                       \
  RUNG(cpu, blocked, "Vectors along x, a few rows at a time, in blocks that stay in the cache.")                       \
  OP(cpu, wavefront, "All four stages follow each other through the planes: the grid is read and written once.")       \
  RUNG(cuda, textbook, "Classical RK4: four slopes and their sum, one thread per cell, weights in an array.")          \
  RUNG(cuda, constant_weights, "The weights as parameters: a multiply-add takes them from constant memory itself.")    \
  RUNG(cuda, horner, "L is linear: the stages nest, four sweeps without slopes.")                                      \
  RUNG(cuda, tiled_sweep, "A stage walks tiles through the planes: shared memory along x and y, registers along z.")   \
  RUNG(cuda, two_stages, "RK4 as two quadratic factors of the same form: two stages in one sweep.")                    \
  RUNG(cuda, fused_sweeps, "Order 2: all four stages in one sweep; else two and two.")                                 \
  RUNG(cuda, one_launch, "For small grids: a stage at a time, all of them in one launch; blocks wait for neighbours.") \
  OP(cuda, by_size, "One launch for small grids, fused sweeps for large ones.")

namespace rafter::heat_ladder {
#define RAFTER_SIGNATURE RAFTER_HEAT_SIGNATURE
RAFTER_DECLARE_LADDER(HEAT_LADDER)
}  // namespace rafter::heat_ladder

namespace rafter::lab {

namespace {

using namespace heat_ladder;
const std::string family = "heat";

GridShape shape_of(const Params& params) {
  const auto or_n = [&](const char* name) {
    return params.integer(name) > 0 ? params.integer(name) : params.integer("n");
  };
  return {or_n("nz"), or_n("ny"), params.integer("n")};
}

/// Diffusivity and spacings between 0.1 and 5, and 0.5 and 2; the default time step.
HeatProblem problem_of(const Params& params, std::uint64_t seed) {
  const auto between = [&](std::int64_t i, double low, double high) {
    return low + (high - low) * static_cast<double>(random_bits(seed, i) >> 11) * 0x1p-53;
  };
  HeatProblem problem{.shape = shape_of(params),
                      .spacing = {between(0, 0.5, 2), between(1, 0.5, 2), between(2, 0.5, 2)},
                      .alpha = between(3, 0.1, 5),
                      .order = static_cast<int>(parse_integer(params.word("order")))};
  problem.dt = heat_default_dt(problem);
  return problem;
}

void require_extents(const HeatProblem& problem) {
  const auto [nz, ny, nx] = problem.shape;
  const std::int64_t least = 2 * problem.radius() + 1;
  if (std::min({nz, ny, nx}) < least) {
    throw Error(ErrorCode::bad_argument, "heat of order " + std::to_string(problem.order) +
                                             " needs extents of at least " + std::to_string(least) +
                                             ", got n=" + std::to_string(nx) + " ny=" + std::to_string(ny) +
                                             " nz=" + std::to_string(nz));
  }
}

std::vector<Generator> bells(const CaseOptions& options) {
  std::vector<Generator> generators;
  for (int set = 0; set < options.n_input_sets; ++set)
    generators.push_back({Generator::Kind::bell, set_seed(options, set)});
  return generators;
}

/// The answer in R, by the textbook. Large ones on the device itself: the textbook there is held against this one's
/// answers on the CPU in small cases.
template <class R, class T>
std::vector<R> textbook_answer(const Stream& stream, const HeatGrid& grid, std::int64_t n_steps,
                               const InputSets<T, Generator>& inputs, int set) {
  constexpr std::int64_t many_updates = std::int64_t{1} << 26;
  const std::int64_t n = grid.shape.n_cells();
  const bool on_device = stream.device() == Device::cuda && n * n_steps > many_updates;
  const Stream where = on_device ? stream : Stream::cpu();
  std::vector<R> host(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) host[static_cast<std::size_t>(i)] = static_cast<R>(inputs.element(set, i));
  Buffer<R> field(where, n);
  Buffer<R> work(where, n * HeatArgs<R>::n_work_fields);
  field.copy_from(host);
  const HeatArgs<R> args{grid, n_steps, field.data(), field.data(), work.data()};
  if (on_device) {
    RAFTER_IF_cuda(cuda::constant_weights<R>(where, args);)
  } else {
    cpu::textbook<R>(where, args);
  }
  field.copy_to(host);
  return host;
}

template <class T>
class HeatCase final : public Case {
 public:
  HeatCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : stream_(stream),
        problem_(problem_of(params, options.seed)),
        n_steps_(params.integer("steps")),
        inputs_(stream, (require_extents(problem_), problem_.shape.n_cells()), bells(options), options.offset),
        out_(stream, problem_.shape.n_cells(), options.offset),
        work_(stream, problem_.shape.n_cells() * HeatArgs<T>::n_work_fields, options.offset),
        answers_(static_cast<std::size_t>(options.n_input_sets)) {}

  static bool fits(const Params& params) { return params.word("dtype") == dtype_name<T>; }

  /// Each step reads the grid once and writes it once, and does four stencils of 6 * radius + 1 multiply-adds.
  Cost cost() const override {
    const double updates = static_cast<double>(problem_.shape.n_cells()) * static_cast<double>(n_steps_);
    const double operations = updates * 4 * 2 * (6 * problem_.radius() + 1);
    return {.bytes_read = updates * sizeof(T),
            .bytes_written = updates * sizeof(T),
            .operations = operations_in<T>(operations),
            .footprint_bytes = 2 * static_cast<double>(problem_.shape.n_cells()) * sizeof(T)};
  }
  int n_input_sets() const override { return inputs_.count(); }
  void prepare(int) override {
    out_.poison();
    work_.poison();
  }
  std::optional<std::string> changed_input() override { return inputs_.changed(); }

  Comparison check(int set) override {
    const std::vector<double>& answer = answer_of(set);
    const double scale = bound_per_ten_steps() * std::max(1., static_cast<double>(n_steps_) / 10);
    Comparison result = compare_near<T>(out_.on_host(), [&](std::int64_t i) -> Expectation {
      const double value = answer[static_cast<std::size_t>(i)];
      return {value, scale * (1 + std::abs(value))};
    });
    if (const auto damage = out_.damage()) result.complaint = "output: " + *damage;
    if (const auto damage = work_.damage()) result.complaint = "work: " + *damage;
    return result;
  }

  template <class Rung>
  void call(Rung rung, const Stream& stream, int set) {
    rung(stream, HeatArgs<T>{grid_of(problem_), n_steps_, inputs_.span(set).data(), out_.data(), work_.data()});
  }

 private:
  static constexpr double bound_per_ten_steps() { return sizeof(T) == 8 ? 4e-15 : 1e-6; }

  const std::vector<double>& answer_of(int set) {
    std::vector<double>& answer = answers_[static_cast<std::size_t>(set)];
    if (!answer.empty()) return answer;
    // Past 2^30 cells six fields of doubles do not fit beside the case.
    if (problem_.shape.n_cells() <= std::int64_t{1} << 30) {
      answer = textbook_answer<double>(stream_, grid_of(problem_), n_steps_, inputs_, set);
    } else {
      const std::vector<T> rounded = textbook_answer<T>(stream_, grid_of(problem_), n_steps_, inputs_, set);
      answer.assign(rounded.begin(), rounded.end());
    }
    return answer;
  }

  Stream stream_;
  HeatProblem problem_;
  std::int64_t n_steps_;
  InputSets<T, Generator> inputs_;
  GuardedArray<T> out_;
  GuardedArray<T> work_;
  std::vector<std::vector<double>> answers_;  // of each set, made when first asked for
};

using Cases = OldCaseList<HeatCase<float>, HeatCase<double>>;
#define RAFTER_INSTANCES(rung) rung<float>, rung<double>

Params case_of(GridShape shape, int order, std::int64_t steps, const std::string& dtype = "float32") {
  const auto [nz, ny, nx] = shape;
  return {{"n", nx},
          {"ny", ny == nx ? std::int64_t{0} : ny},
          {"nz", nz == nx ? std::int64_t{0} : nz},
          {"order", std::to_string(order)},
          {"steps", steps},
          {"dtype", dtype}};
}

Params cube(std::int64_t n, int order, std::int64_t steps) { return case_of({n, n, n}, order, steps); }

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda) {
    if (effort == Effort::quick) return {cube(256, 8, 2), cube(256, 2, 2)};
    return {cube(600, 8, 10), cube(600, 2, 1)};
  }
  return {effort == Effort::quick ? cube(128, 8, 1) : cube(192, 8, 1)};
}

/// The smallest extents, odd and unequal ones, tiles that are just full and just not, several tiles and parts.
std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  for (const int order : {2, 4, 6, 8}) {
    const std::int64_t least = order + 1;
    for (const char* dtype : {"float32", "float64"}) {
      cases.push_back(case_of({least, least, least}, order, 1, dtype));
      cases.push_back(case_of({least + 2, least + 1, least + 4}, order, 2, dtype));
    }
    cases.push_back(case_of({least + 1, 13, 36}, order, 1, "float64"));
    cases.push_back(case_of({least + 2, 12, 40}, order, 2));
  }
  cases.push_back(case_of({13, 34, 76}, 8, 1));
  cases.push_back(case_of({25, 11, 64}, 8, 1));
  cases.push_back(case_of({60, 3, 100}, 2, 1, "float64"));
  cases.push_back(case_of({8, 3, 196}, 2, 1, "float64"));
  cases.push_back(case_of({10, 43, 61}, 8, 1));
  cases.push_back(case_of({6, 27, 129}, 2, 1));
  cases.push_back(case_of({19, 41, 132}, 8, 3));
  cases.push_back(case_of({23, 95, 125}, 8, 2));
  cases.push_back(case_of({70, 60, 72}, 2, 2));
  cases.push_back(case_of({41, 100, 120}, 4, 1));
  cases.push_back(case_of({37, 99, 128}, 6, 1));
  cases.push_back(case_of({101, 113, 130}, 8, 1, "float64"));
  return cases;
}

}  // namespace

const Workload& heat_workload() {
  static const Workload workload{
      .name = family,
      .summary = "3-D diffusion: RK4 steps with a stencil of order 2 to 8, frozen faces",
      .parameters = {{"n", "cells along x", std::int64_t{256}, true},
                     {"ny", "cells along y; 0: as along x", std::int64_t{0}},
                     {"nz", "cells along z; 0: as along x", std::int64_t{0}},
                     {"order", "of accuracy in space", std::string("8"), false, {"2", "4", "6", "8"}},
                     {"steps", "time steps", std::int64_t{1}},
                     dtype_parameter<float, double>()},
      .rungs = {RAFTER_LIST_LADDER(HEAT_LADDER)},
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return std::vector{case_of({40, 9001, 6001}, 8, 1), case_of({9, 20, 12000017}, 2, 1)};
          },
      .make_case = Cases::make,
      .bytes_per_input_set =
          [](const Params& params) {
            // Large answers are worked out on the device, too.
            const auto n = static_cast<double>(shape_of(params).n_cells());
            return (n > 1e9 ? 12 : 3) * n * element_bytes(params);
          },
      .adopt = RAFTER_ADOPT(cpu::textbook),
  };
  return workload;
}

}  // namespace rafter::lab
