#include "apps/solve/heat_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>

#include "apps/solve/checkpoint.hpp"
#include "apps/solve/expression_field.hpp"
#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/heat_faces.hpp"
#include "apps/solve/heat_medium.hpp"
#include "apps/solve/option_values.hpp"
#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/draw/render.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::solve {

namespace {

namespace fs = std::filesystem;

// ---- a new run ----

Initial parse_initial(const HeatRequest& o) {
  const std::string wanted = o.initial.empty() ? "gaussian" : o.initial;
  const auto kind = initial_called(wanted);
  if (!kind)
    refuse(base::unknown_name("initial field", wanted, initial_names()) +
           " Or FILE.npy, FILE.h5, or an expression of x, y and z");
  Initial initial{.kind = *kind};
  using Kind = Initial::Kind;
  const auto belongs = [&](const char* option, const std::string& value, Kind owner) {
    if (!value.empty() && *kind != owner) refuse(fmt::format("{} belongs to --initial {}", option, name(owner)));
  };
  belongs("--width", o.width, Kind::gaussian);
  belongs("--radius", o.radius, Kind::hot_sphere);
  belongs("--seed", o.seed, Kind::random);
  if (!o.amplitude.empty()) initial.amplitude = parse_real("--amplitude", o.amplitude);
  if (!o.width.empty()) initial.width = parse_positive("--width", o.width, 0);
  if (!o.radius.empty()) initial.radius = parse_positive("--radius", o.radius, 0);
  if (*kind == Kind::random) {
    initial.seed = o.seed.empty() ? lab::fresh_seed() : static_cast<std::uint64_t>(parse_count("--seed", o.seed, 0));
  }
  return initial;
}

std::string describe(const Initial& initial, const HeatProblem& problem) {
  using Kind = Initial::Kind;
  const std::string named = fmt::format("{}, amplitude {:g}", name(initial.kind), initial.amplitude);
  if (initial.kind == Kind::random) return fmt::format("{}, seed {}", named, initial.seed);
  return fmt::format("{}, {} {:.3g} of the shortest side", named, initial.kind == Kind::gaussian ? "width" : "radius",
                     length_on(initial, problem.shape, problem.spacing));
}

/// Sets the initial field of a new run: a file with its grid and dtype, or a named field.
void set_initial(HeatJob& job, const HeatRequest& o) {
  HeatPlan& plan = job.plan;
  const bool is_expression = is_position_expression(o.initial);
  if (!names_a_field_file(o.initial)) {
    plan.problem.shape = parse_grid(o.grid.empty() ? "128" : o.grid);
    plan.precision = o.dtype.empty() ? Precision::float32 : parse_precision(o.dtype);
  }
  if (!names_a_field_file(o.initial) && !is_expression) {
    job.initial = parse_initial(o);
    job.beginning = describe(job.initial, plan.problem);
    return;
  }
  for (const auto& [option, value] :
       {std::pair("--width", o.width), {"--radius", o.radius}, {"--seed", o.seed}, {"--amplitude", o.amplitude}}) {
    if (!value.empty()) refuse(fmt::format("{} does not apply to a field from a file or an expression", option));
  }
  job.beginning = o.initial;
  if (is_expression) {
    job.start =
        HeatStart{field_of_expression(o.initial, plan.problem.shape, plan.problem.spacing, plan.precision), 0, {}};
    return;
  }
  Field field = field_from_file(o.initial);
  if (!o.grid.empty() && parse_grid(o.grid) != field.shape) {
    refuse(fmt::format("--grid {} differs from '{}', which has {} cells; leave --grid out", o.grid, o.initial,
                       show_shape(field.shape)));
  }
  plan.problem.shape = field.shape;
  plan.precision = o.dtype.empty() ? field.precision() : parse_precision(o.dtype);
  job.start = HeatStart{converted(std::move(field), plan.precision), 0, {}};
}

/// Refuses a diffusivity and a spacing that belong to different units: no time step would be a number.
void require_usual_scales(const HeatProblem& problem) {
  constexpr double most = 1e30;
  const auto [hz, hy, hx] = problem.spacing;
  for (const double h : {hz, hy, hx}) {
    const double time = h / problem.alpha * h;
    if (time > 1 / most && time < most) continue;
    refuse(
        fmt::format("with --alpha {:g} and --spacing {:g}, heat crosses a cell in {:.3g} units of time: expected 1e-30 "
                    "to 1e30; give alpha and spacing in the same unit of length",
                    problem.alpha, h, time));
  }
}

/// Refuses a run that no machine completes.
void require_endurable(const HeatPlan& plan, std::int64_t first_step) {
  constexpr double cell_steps_per_s = 1e12, seconds_per_year = 3.156e7;
  const double years = static_cast<double>(plan.n_steps - first_step) *
                       static_cast<double>(plan.problem.shape.n_cells()) / cell_steps_per_s / seconds_per_year;
  if (years < 1) return;
  refuse(fmt::format("{} steps of {} cells take at least {:.3g} years, at 10^12 cell steps per second: give fewer",
                     plan.n_steps - first_step, show_shape(plan.problem.shape), years));
}

void check_problem(const HeatPlan& plan) {
  const HeatProblem& problem = plan.problem;
  const std::array extents{problem.shape.nz, problem.shape.ny, problem.shape.nx};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto is_frozen = [](const HeatFace& face) { return face.kind == HeatFace::Kind::frozen ? 1 : 0; };
    const int n_frozen = is_frozen(plan.faces.low[axis]) + is_frozen(plan.faces.high[axis]);
    const std::int64_t least = n_frozen * plan.reach() + 1;
    if (extents[axis] >= least || (extents[axis] == 1 && n_frozen == 2)) continue;
    refuse(
        fmt::format("a grid of {} is too small: order {} freezes {} cells at a face, so it needs at least {} cells "
                    "along {}, or just one; or a lower --order, or another --boundary",
                    show_shape(problem.shape), problem.order, plan.reach(), least, "zyx"[axis]));
  }
  const double limit = plan.largest_dt();
  if (!(problem.dt <= limit)) {
    refuse(fmt::format("--dt {:g} is unstable on this grid: RK4 needs at most {:.9g}; without --dt it is {:.9g}",
                       problem.dt, limit, conduction_default_dt(problem, plan.faces)));
  }
}

void require_end(const HeatRequest& o) {
  if (!o.steps.empty() && !o.time.empty()) refuse("--steps and --time both set the end: give one of them");
  if (o.steps.empty() && o.time.empty()) refuse("the end of the run is missing: --steps N or --time T");
}

/// Sets the number of steps, and a time step that ends exactly at --time.
void set_steps(HeatPlan& plan, const HeatRequest& o) {
  require_end(o);
  if (!o.steps.empty()) {
    plan.n_steps = parse_count("--steps", o.steps, 0);
    return;
  }
  const double time = parse_positive("--time", o.time, 0);
  const double n = std::max(1., std::ceil(time / plan.problem.dt * (1 - 1e-12)));
  if (!(n < 1e15)) refuse(fmt::format("--time {} takes {:.3g} steps of {:g}", o.time, n, plan.problem.dt));
  plan.n_steps = static_cast<std::int64_t>(n);
  plan.problem.dt = time / n;
}

HeatJob new_job(const HeatRequest& o) {
  HeatJob job;
  HeatPlan& plan = job.plan;
  if (!o.boundary.empty()) plan.faces = parse_faces(o.boundary);
  HeatProblem& problem = plan.problem;
  if (!o.spacing.empty()) problem.spacing = parse_spacing(o.spacing);
  if (!o.order.empty()) problem.order = parse_order(o.order);
  require_end(o);  // before files are read
  set_initial(job, o);
  set_medium(job, o);
  require_usual_scales(problem);
  problem.dt = parse_positive("--dt", o.dt, conduction_default_dt(problem, plan.faces));
  set_steps(plan, o);
  check_problem(plan);
  return job;
}

// ---- a resumed run ----

/// The options that a checkpoint keeps, and their members.
using Kept = std::pair<const char*, std::string HeatRequest::*>;
constexpr Kept kept_options[] = {{"alpha", &HeatRequest::alpha},
                                 {"source", &HeatRequest::source},
                                 {"capacity", &HeatRequest::capacity},
                                 {"out", &HeatRequest::out},
                                 {"every", &HeatRequest::every},
                                 {"format", &HeatRequest::format},
                                 {"picture", &HeatRequest::picture},
                                 {"picture-every", &HeatRequest::picture_every},
                                 {"slice", &HeatRequest::slice},
                                 {"range", &HeatRequest::range},
                                 {"checkpoint-every", &HeatRequest::checkpoint_every},
                                 {"probe", &HeatRequest::probe},
                                 {"probe-every", &HeatRequest::probe_every},
                                 {"probe-file", &HeatRequest::probe_file},
                                 {"steady", &HeatRequest::steady},
                                 {"report-every", &HeatRequest::report_every}};

// Paths are kept relative to the checkpoint, so that it can be moved with its files and resumed from any folder.
bool is_path(std::string_view option, const std::string& value) {
  return option == "out" || option == "picture" || option == "probe-file" || names_a_field_file(value);
}

std::string relative_to(const fs::path& checkpoint, const fs::path& path) {
  const fs::path folder = fs::absolute(checkpoint).lexically_normal().parent_path();
  return fs::absolute(path).lexically_normal().lexically_relative(folder).string();
}

std::string resolved_from(const fs::path& checkpoint, const std::string& path) {
  const fs::path whole = (checkpoint.parent_path() / path).lexically_normal();
  return whole.has_filename() ? whole.string() : whole.parent_path().string();  // no slash at the end
}

/// Throws Error for options that differ from the problem of the checkpoint.
void check_same(const HeatPlan& plan, const HeatRequest& o) {
  const auto check = [](const char* option, const std::string& given, bool same, const std::string& has) {
    if (!given.empty() && !same) {
      refuse(fmt::format("{} {} differs from the checkpoint's {}: a resumed run keeps its problem; leave {} out",
                         option, given, has, option));
    }
  };
  const HeatProblem& p = plan.problem;
  const auto [hz, hy, hx] = p.spacing;
  const GridSpacing spacing = o.spacing.empty() ? p.spacing : parse_spacing(o.spacing);
  check("--grid", o.grid, o.grid.empty() || parse_grid(o.grid) == p.shape, show_shape(p.shape));
  check("--spacing", o.spacing, spacing.z == hz && spacing.y == hy && spacing.x == hx,
        fmt::format("{:g},{:g},{:g}", hz, hy, hx));
  const bool is_number = !plan.medium.diffusivity && !names_a_field_file(o.alpha) &&
                         !is_position_expression(o.alpha);  // restore_medium() compares fields
  const double capacity = plan.medium.least_capacity;
  check("--alpha", o.alpha,
        !is_number || o.alpha.empty() || parse_positive("--alpha", o.alpha, 1) / capacity == p.alpha,
        fmt::format("{:g}", p.alpha * capacity));
  check("--order", o.order, o.order.empty() || parse_order(o.order) == p.order, std::to_string(p.order));
  check("--boundary", o.boundary, o.boundary.empty() || parse_faces(o.boundary) == plan.faces, show_faces(plan.faces));
  check("--dt", o.dt, parse_positive("--dt", o.dt, p.dt) == p.dt, fmt::format("{}", p.dt));
  check("--dtype", o.dtype, o.dtype == name(plan.precision), std::string(name(plan.precision)));
  for (const auto& [option, value] : {std::pair("--initial", o.initial),
                                      {"--amplitude", o.amplitude},
                                      {"--width", o.width},
                                      {"--radius", o.radius},
                                      {"--seed", o.seed}}) {
    if (!value.empty()) refuse(fmt::format("{} is for new runs; a resumed run has its field", option));
  }
}

HeatJob resumed_job(HeatRequest& o) {
  ResumedHeat resumed = resume_heat(o.resume);
  HeatJob job{std::move(resumed.plan), "", std::move(resumed.start), {}, {}};
  HeatPlan& plan = job.plan;
  check_same(plan, o);
  for (const auto& [option, member] : kept_options) {
    const auto kept = plan.options.find(option);
    if (!(o.*member).empty() || kept == plan.options.end()) continue;
    o.*member = is_path(option, kept->second) ? resolved_from(o.resume, kept->second) : kept->second;
  }
  restore_medium(job, o);
  if (o.checkpoint.empty()) o.checkpoint = current_checkpoint(o.resume).string();
  if (!o.steps.empty() || !o.time.empty()) {
    const double dt = plan.problem.dt;
    set_steps(plan, o);
    plan.problem.dt = dt;  // it stays; the run ends at the first step that reaches the time
  }
  job.beginning = fmt::format("step {} of {}", job.start->step, o.resume);
  if (plan.n_steps < job.start->step) {
    refuse(fmt::format("the checkpoint is already at step {}, beyond --steps {}", job.start->step, plan.n_steps));
  }
  return job;
}

// ---- what is written ----

/// Throws Error if an option is given without the one that it belongs to.
void require_with(const char* option, const std::string& value, const char* needed, const std::string& owner) {
  if (!value.empty() && owner.empty()) refuse(fmt::format("{} needs {}", option, needed));
}

void set_outputs(HeatPlan& plan, const HeatRequest& o) {
  require_with("--every", o.every, "--out DIR", o.out);
  require_with("--format", o.format, "--out DIR", o.out);
  require_with("--picture-every", o.picture_every, "--picture FILE", o.picture);
  require_with("--slice", o.slice, "--picture FILE", o.picture);
  require_with("--range", o.range, "--picture FILE", o.picture);
  require_with("--checkpoint-every", o.checkpoint_every, "--checkpoint FILE", o.checkpoint);
  const auto every = [](const char* option, const std::string& text) {
    return text.empty() ? 0 : parse_count(option, text, 1);
  };
  if (!o.out.empty()) {
    plan.series = {o.out, every("--every", o.every), parse_format(o.format), o.overwrite};
    const auto reason = why_no_hdf5();
    if (reason && plan.series->format != FieldFormat::npy) throw Error(ErrorCode::unsupported, *reason);
  }
  if (!o.picture.empty()) {
    draw::format_of(o.picture);
    plan.picture = {o.picture, every("--picture-every", o.picture_every), parse_slice(o.slice), parse_range(o.range)};
    cut_cell(plan.problem.shape, plan.picture->cut);
    if (const auto reason = draw::why_no_drawing()) throw Error(ErrorCode::unsupported, *reason);
  }
  if (!o.checkpoint.empty()) plan.checkpoint = parse_checkpoint(o.checkpoint, o.checkpoint_every);
  require_with("--probe-every", o.probe_every, "--probe Z,Y,X", o.probe);
  require_with("--probe-file", o.probe_file, "--probe Z,Y,X", o.probe);
  plan.report_every = o.report_every.empty() ? std::max<std::int64_t>(1, (plan.n_steps + 9) / 10)
                                             : parse_count("--report-every", o.report_every, 1);
  plan.steady = parse_positive("--steady", o.steady, 0);
  if (o.probe.empty()) return;
  if (o.probe_file.empty() && o.out.empty()) refuse("--probe needs --probe-file FILE.csv, or --out DIR");
  plan.probes = {o.probe_file.empty() ? fs::path(o.out) / "probes.csv" : fs::path(o.probe_file),
                 o.probe_every.empty() ? plan.report_every : parse_count("--probe-every", o.probe_every, 1),
                 parse_probes(o.probe, plan.problem.shape), o.overwrite};
}

/// Refuses folders that are hardly meant.
void require_folder(const HeatRequest& o) {
  if (o.out == "-") refuse("--out names a folder for the fields; they cannot go to the standard output");
  const bool is_root = !o.out.empty() && fs::absolute(o.out).lexically_normal() == "/";
  if (is_root && !o.overwrite)
    refuse("--out / would write the fields into the root folder: name another one, or give --overwrite if you mean it");
}

}  // namespace

HeatStart HeatJob::take_start() {
  const HeatProblem& problem = plan.problem;
  HeatStart taken = start ? std::move(*start)
                          : HeatStart{initial_field(initial, problem.shape, problem.spacing, plan.precision), 0, {}};
  taken.medium = std::move(medium);
  return taken;
}

HeatJob parse_heat_job(HeatRequest o) {
  require_folder(o);
  HeatJob job = o.resume.empty() ? new_job(o) : resumed_job(o);
  require_endurable(job.plan, job.first_step());
  if (o.checkpoint.empty() && !o.out.empty()) o.checkpoint = (fs::path(o.out) / "heat.checkpoint").string();
  set_outputs(job.plan, o);
  std::error_code error;
  if (o.resume.empty() && job.plan.checkpoint && !o.overwrite && fs::exists(o.checkpoint, error)) {
    refuse(fmt::format("'{0}' exists already: continue with --resume {0}, or give --overwrite", o.checkpoint));
  }
  for (const auto& [option, member] : kept_options) {
    if ((o.*member).empty() || o.checkpoint.empty()) continue;
    job.plan.options[option] = is_path(option, o.*member) ? relative_to(o.checkpoint, o.*member) : o.*member;
  }
  return job;
}

}  // namespace rafter::solve
