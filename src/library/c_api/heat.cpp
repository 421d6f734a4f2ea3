// Diffusion and heat conduction.
#include "rafter/heat.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "library/c_api/callbacks.hpp"
#include "library/c_api/tensors.hpp"
#include "rafter/conduction.hpp"

struct rafter_heat_solver {
  using Any = std::variant<rafter::HeatSolver<float>, rafter::HeatSolver<double>, rafter::ConductionSolver<float>,
                           rafter::ConductionSolver<double>>;
  struct Solver {
    rafter::Stream stream;
    Any any;
  } solver;
};

namespace rafter::c_api {

namespace {

template <class Solver>
struct Traits;
template <class T>
struct Traits<HeatSolver<T>> {
  using Element = T;
  static constexpr bool conducts = false;
};
template <class T>
struct Traits<ConductionSolver<T>> {
  using Element = T;
  static constexpr bool conducts = true;
};

HeatProblem problem_of(const Function& function, const rafter_heat_problem* problem, const GridShape& shape) {
  const auto given = read_struct(function, "problem", problem, sizeof(rafter_heat_problem));
  require_reserved(function, "problem.reserved", given.reserved);
  const auto& h = given.spacing;
  return {.shape = shape, .spacing = {h[0], h[1], h[2]}, .alpha = given.alpha, .order = given.order, .dt = given.dt};
}

GridShape grid_shape(const Function& function, const std::int64_t* shape) {
  const std::int64_t* const extents = &required(function, "shape", shape);
  std::int64_t left = std::int64_t{1} << 59;
  for (int axis = 0; axis < 3; ++axis) {
    if (extents[axis] < 1 || extents[axis] > left)
      refuse(function, "shape", "should have positive extents and at most 2^59 cells");
    left /= extents[axis];
  }
  return {extents[0], extents[1], extents[2]};
}

rafter_status write_dt(const Function& name, double (*dt_of)(const HeatProblem&), const rafter_heat_problem* problem,
                       double* dt) noexcept {
  return guarded(name, [&](const Function& function) {
    double& result = required(function, "dt", dt);
    result = dt_of(problem_of(function, problem, {1, 1, 1}));
  });
}

/// Returns the box of a grid that begins at `first`, {z, y, x}; `argument` has its shape.
GridBox box_of(const Function& function, const HeatProblem& problem, const std::int64_t* first, const GridShape& shape,
               const char* argument) {
  const std::int64_t* const begin = &required(function, "first", first);
  const std::int64_t extents[] = {shape.nz, shape.ny, shape.nx};
  const std::int64_t all[] = {problem.shape.nz, problem.shape.ny, problem.shape.nx};
  const std::int64_t ghosts = heat_box_ghosts(problem);
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t before = begin[axis];
    if (before >= 0 && extents[axis] <= all[axis] && before <= all[axis] - extents[axis]) {
      const std::int64_t after = all[axis] - extents[axis] - before;
      if ((before == 0 || before >= ghosts) && (after == 0 || after >= ghosts)) continue;
    }
    refuse(function, argument,
           "should have the shape of a box that begins at `first` and has no ghost cells or at least " +
               std::to_string(ghosts) + " in `in` on each side");
  }
  return {begin[0], begin[1], begin[2], shape};
}

/// Calls `body` with the solver and its element type's array in host memory.
template <class Host, class Handle, class Body>
void with_host(const Function& function, Handle* handle, const rafter_tensor* host, Body&& body) {
  auto& solver = required(function, "solver", handle).solver;
  const Tensors given(function, solver.stream);
  std::visit(
      [&](auto& held) {
        using Held = std::remove_cvref_t<decltype(held)>;
        using Element = typename Traits<Held>::Element;
        const GridShape& shape = held.problem().shape;
        body(held, given.host<std::conditional_t<std::is_const_v<Host>, const Element, Element>>(
                       "host", host, {shape.nz, shape.ny, shape.nx}));
      },
      solver.any);
}

/// Requires a solver with the features of heat conduction.
template <class Held, class Body>
void if_conducts(const Function& function, Held& held, Body&& body) {
  if constexpr (Traits<Held>::conducts)
    body(held);
  else
    refuse(function, "solver", "should be made by rafter_conduction_solver_create()");
}

/// The exchanges of Robin faces at both ends; null: there are none.
struct Exchanges {
  const double* low = nullptr;
  const double* high = nullptr;
};

HeatFaces faces_of(const Function& function, const rafter_heat_face* low, const rafter_heat_face* high,
                   const Exchanges& exchanges = {}) {
  const bool has_exchanges = exchanges.low != nullptr;
  HeatFaces faces;
  const rafter_heat_face* const ends[] = {&required(function, "low", low), &required(function, "high", high)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const bool at_high : {false, true}) {
      const rafter_heat_face& face = ends[at_high ? 1 : 0][axis];
      const auto kind = enumerator(function, at_high ? "high" : "low", face.kind, HeatFace::Kind::robin);
      require_reserved(function, at_high ? "high" : "low", face.reserved);
      if (kind == HeatFace::Kind::robin && !has_exchanges)
        refuse(function, at_high ? "high" : "low",
               "should have no Robin face; rafter_conduction_solver_create_exchanging() makes solvers with them");
      const double exchange = has_exchanges ? (at_high ? exchanges.high : exchanges.low)[axis] : 0;
      if (kind != HeatFace::Kind::robin && exchange != 0)
        refuse(function, at_high ? "high_exchange" : "low_exchange",
               "should be 0 for faces that are not Robin faces, is " + std::to_string(exchange));
      (at_high ? faces.high : faces.low)[axis] = {kind, face.amount, exchange};
    }
  }
  return faces;
}

/// Returns the faces for a time step, which does not depend on the exchange; but a Robin face has one.
HeatFaces faces_for_dt(const Function& function, const rafter_heat_face* low, const rafter_heat_face* high) {
  double of_low[3] = {}, of_high[3] = {};
  for (int axis = 0; axis < 3; ++axis) {
    of_low[axis] = required(function, "low", low + axis).kind == RAFTER_FACE_ROBIN ? 1 : 0;
    of_high[axis] = required(function, "high", high + axis).kind == RAFTER_FACE_ROBIN ? 1 : 0;
  }
  return faces_of(function, low, high, {of_low, of_high});
}

rafter_status write_conduction_dt(const Function& name, double (*dt_of)(const HeatProblem&, const HeatFaces&),
                                  const rafter_heat_problem* problem, const std::int64_t* shape,
                                  const rafter_heat_face* low, const rafter_heat_face* high, double* dt) noexcept {
  return guarded(name, [&](const Function& function) {
    double& result = required(function, "dt", dt);
    required(function, "low", low);
    required(function, "high", high);
    const HeatProblem of = problem_of(function, problem, grid_shape(function, shape));
    result = dt_of(of, faces_for_dt(function, low, high));
  });
}

rafter_status create_conduction(const Function& name, const rafter_stream* stream, rafter_dtype dtype,
                                const std::int64_t* shape, const rafter_heat_problem* problem,
                                const std::function<HeatFaces(const Function&)>& faces,
                                rafter_heat_solver** solver) noexcept {
  return created(name, "solver", solver, [&](const Function& function) {
    const Stream& on = stream_of(function, stream);
    const auto of = problem_of(function, problem, grid_shape(function, shape));
    const HeatFaces given = faces(function);
    std::optional<rafter_heat_solver::Any> made;
    for_type(function, HeatTypes{}, "dtype", dtype,
             [&]<class T>() { made.emplace(ConductionSolver<T>(on, of, given)); });
    return rafter_heat_solver::Solver{on, std::move(*made)};
  });
}

/// The callback as the solver calls it, and its owner.
template <class T>
std::pair<TimeFunction<T>, std::shared_ptr<Released<rafter_heat_function>>> time_function(
    const rafter_heat_function& given) {
  const auto host = std::make_shared<Released<rafter_heat_function>>(given);
  return {[host](double time, std::span<T> values) {
            const rafter_status status = (*host)->values((*host)->context, time, values.data(), std::ssize(values));
            if (status != RAFTER_OK)
              throw std::runtime_error("the function of the host program failed with status " + std::to_string(status));
          },
          host};
}

/// Calls `set` with the conduction solver and the function, which the library owns if it was accepted.
template <class Set>
void set_function(const Function& function, const char* argument, rafter_heat_solver* solver,
                  const rafter_heat_function* given, Set&& set) {
  const auto callbacks = read_struct(function, argument, given, sizeof(rafter_heat_function));
  if (callbacks.values == nullptr) refuse(function, argument, "should have a function `values`");
  std::visit(
      [&](auto& held) {
        if_conducts(function, held, [&](auto& conducting) {
          using T = typename Traits<std::remove_cvref_t<decltype(conducting)>>::Element;
          auto [values, host] = time_function<T>(callbacks);
          set(conducting, std::move(values));
          host->accept();
        });
      },
      required(function, "solver", solver).solver.any);
}

}  // namespace

}  // namespace rafter::c_api

namespace c = rafter::c_api;

rafter_status rafter_heat_default_dt(const rafter_heat_problem* problem, double* dt) noexcept {
  return c::write_dt(c::Function("rafter_heat_default_dt"), rafter::heat_default_dt, problem, dt);
}

rafter_status rafter_heat_largest_dt(const rafter_heat_problem* problem, double* dt) noexcept {
  return c::write_dt(c::Function("rafter_heat_largest_dt"), rafter::heat_largest_dt, problem, dt);
}

rafter_status rafter_heat_advance(const rafter_stream* stream, const rafter_tensor* in,
                                  const rafter_heat_problem* problem, int64_t n_steps, const rafter_tensor* out,
                                  const rafter_tensor* work) noexcept {
  return c::guarded(c::Function("rafter_heat_advance"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::HeatTypes{}, "in", in, [&]<class T>() {
      const auto field = given.field<const T>("in", in);
      given.require_same_shape("out", out, *in);
      given.require_same_shape("work", work, *in);
      rafter::heat_advance(given.stream(), field, c::problem_of(function, problem, field.shape), n_steps,
                           given.field<T>("out", out), given.field<T>("work", work));
    });
  });
}

rafter_status rafter_heat_box_work_size(const rafter_heat_problem* problem, const int64_t in_shape[3],
                                        const int64_t first[3], const int64_t box_shape[3],
                                        int64_t* n_elements) noexcept {
  return c::guarded(c::Function("rafter_heat_box_work_size"), [&](const c::Function& function) {
    std::int64_t& result = c::required(function, "n_elements", n_elements);
    c::required(function, "in_shape", in_shape);
    c::required(function, "box_shape", box_shape);
    const auto of = c::problem_of(function, problem, {in_shape[0], in_shape[1], in_shape[2]});
    const rafter::GridShape shape{box_shape[0], box_shape[1], box_shape[2]};
    result = rafter::heat_box_work_size(of, c::box_of(function, of, first, shape, "box_shape"));
  });
}

rafter_status rafter_heat_advance_box(const rafter_stream* stream, const rafter_tensor* in,
                                      const rafter_heat_problem* problem, const int64_t first[3],
                                      const rafter_tensor* out, const rafter_tensor* work) noexcept {
  return c::guarded(c::Function("rafter_heat_advance_box"), [&](const c::Function& function) {
    const c::Tensors given(function, stream);
    given.for_type(rafter::HeatTypes{}, "in", in, [&]<class T>() {
      const auto field = given.field<const T>("in", in);
      const auto box = given.field<T>("out", out);
      const auto of = c::problem_of(function, problem, field.shape);
      rafter::heat_advance_box(given.stream(), field, of, c::box_of(function, of, first, box.shape, "out"), box,
                               given.array<T>("work", work));
    });
  });
}

rafter_status rafter_heat_solver_create(const rafter_stream* stream, rafter_dtype dtype, const int64_t shape[3],
                                        const rafter_heat_problem* problem, int32_t boundary,
                                        rafter_heat_solver** solver) noexcept {
  return c::created(c::Function("rafter_heat_solver_create", "HeatSolver"), "solver", solver,
                    [&](const c::Function& function) {
                      const rafter::Stream& on = c::stream_of(function, stream);
                      const auto of = c::problem_of(function, problem, c::grid_shape(function, shape));
                      const auto faces = c::enumerator(function, "boundary", boundary, rafter::HeatBoundary::zero_flux);
                      std::optional<rafter_heat_solver::Any> made;
                      c::for_type(function, rafter::HeatTypes{}, "dtype", dtype,
                                  [&]<class T>() { made.emplace(rafter::HeatSolver<T>(on, of, faces)); });
                      return rafter_heat_solver::Solver{on, std::move(*made)};
                    });
}

rafter_status rafter_conduction_solver_create(const rafter_stream* stream, rafter_dtype dtype, const int64_t shape[3],
                                              const rafter_heat_problem* problem, const rafter_heat_face low[3],
                                              const rafter_heat_face high[3], rafter_heat_solver** solver) noexcept {
  return c::create_conduction(
      c::Function("rafter_conduction_solver_create", "ConductionSolver"), stream, dtype, shape, problem,
      [&](const c::Function& function) { return c::faces_of(function, low, high); }, solver);
}

rafter_status rafter_conduction_solver_create_exchanging(const rafter_stream* stream, rafter_dtype dtype,
                                                         const int64_t shape[3], const rafter_heat_problem* problem,
                                                         const rafter_heat_face low[3], const rafter_heat_face high[3],
                                                         const double low_exchange[3], const double high_exchange[3],
                                                         rafter_heat_solver** solver) noexcept {
  return c::create_conduction(
      c::Function("rafter_conduction_solver_create_exchanging", "ConductionSolver"), stream, dtype, shape, problem,
      [&](const c::Function& function) {
        return c::faces_of(function, low, high,
                           {&c::required(function, "low_exchange", low_exchange),
                            &c::required(function, "high_exchange", high_exchange)});
      },
      solver);
}

rafter_status rafter_conduction_default_dt(const rafter_heat_problem* problem, const int64_t shape[3],
                                           const rafter_heat_face low[3], const rafter_heat_face high[3],
                                           double* dt) noexcept {
  return c::write_conduction_dt(c::Function("rafter_conduction_default_dt"), rafter::conduction_default_dt, problem,
                                shape, low, high, dt);
}

rafter_status rafter_conduction_largest_dt(const rafter_heat_problem* problem, const int64_t shape[3],
                                           const rafter_heat_face low[3], const rafter_heat_face high[3],
                                           double* dt) noexcept {
  return c::write_conduction_dt(c::Function("rafter_conduction_largest_dt"), rafter::conduction_largest_dt, problem,
                                shape, low, high, dt);
}

rafter_status rafter_conduction_largest_dt_of_diffusivities(const rafter_heat_problem* problem, const int64_t shape[3],
                                                            const rafter_heat_face low[3],
                                                            const rafter_heat_face high[3], double* dt) noexcept {
  return c::write_conduction_dt(c::Function("rafter_conduction_largest_dt_of_diffusivities"),
                                rafter::conduction_largest_dt_of_diffusivities, problem, shape, low, high, dt);
}

void rafter_heat_solver_destroy(rafter_heat_solver* solver) noexcept { delete solver; }

rafter_status rafter_heat_solver_set_field(rafter_heat_solver* solver, const rafter_tensor* host,
                                           int64_t n_steps) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_field"), [&](const c::Function& function) {
    if (n_steps < 0) c::refuse(function, "n_steps", "should be 0 or more, is " + std::to_string(n_steps));
    c::with_host<const void>(function, solver, host, [&](auto& held, auto values) { held.set_field(values, n_steps); });
  });
}

rafter_status rafter_heat_solver_set_diffusivity(rafter_heat_solver* solver, const rafter_tensor* host) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_diffusivity", "ConductionSolver::set_diffusivity"),
                    [&](const c::Function& function) {
                      c::with_host<const void>(function, solver, host, [&](auto& held, auto values) {
                        c::if_conducts(function, held, [&](auto& conducting) { conducting.set_diffusivity(values); });
                      });
                    });
}

rafter_status rafter_heat_solver_set_source(rafter_heat_solver* solver, const rafter_tensor* host) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_source", "ConductionSolver::set_source"),
                    [&](const c::Function& function) {
                      c::with_host<const void>(function, solver, host, [&](auto& held, auto values) {
                        c::if_conducts(function, held, [&](auto& conducting) { conducting.set_source(values); });
                      });
                    });
}

rafter_status rafter_heat_solver_set_capacity(rafter_heat_solver* solver, const rafter_tensor* host) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_capacity", "ConductionSolver::set_capacity"),
                    [&](const c::Function& function) {
                      c::with_host<const void>(function, solver, host, [&](auto& held, auto values) {
                        c::if_conducts(function, held, [&](auto& conducting) { conducting.set_capacity(values); });
                      });
                    });
}

rafter_status rafter_heat_solver_set_source_function(rafter_heat_solver* solver,
                                                     const rafter_heat_function* source) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_source_function", "ConductionSolver::set_source"),
                    [&](const c::Function& function) {
                      c::set_function(function, "source", solver, source,
                                      [](auto& conducting, auto values) { conducting.set_source(std::move(values)); });
                    });
}

rafter_status rafter_heat_solver_set_face_function(rafter_heat_solver* solver, int32_t axis, int32_t at_high_end,
                                                   const rafter_heat_function* amounts) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_set_face_function", "ConductionSolver::set_face"),
                    [&](const c::Function& function) {
                      if (axis < 0 || axis > 2)
                        c::refuse(function, "axis", "should be 0, 1 or 2, is " + std::to_string(axis));
                      const auto side = at_high_end != 0 ? rafter::GridSide::high : rafter::GridSide::low;
                      c::set_function(function, "amounts", solver, amounts, [&](auto& conducting, auto values) {
                        conducting.set_face(axis, side, std::move(values));
                      });
                    });
}

rafter_status rafter_heat_solver_advance(rafter_heat_solver* solver, int64_t n_steps) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_advance"), [&](const c::Function& function) {
    auto& any = c::required(function, "solver", solver).solver.any;
    if (n_steps < 0) c::refuse(function, "n_steps", "should be 0 or more, is " + std::to_string(n_steps));
    std::visit([&](auto& held) { held.advance(n_steps); }, any);
  });
}

rafter_status rafter_heat_solver_field(const rafter_heat_solver* solver, const rafter_tensor* host) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_field"), [&](const c::Function& function) {
    c::with_host<void>(function, solver, host, [&](const auto& held, auto values) { held.field(values); });
  });
}

rafter_status rafter_heat_solver_state(const rafter_heat_solver* solver, rafter_heat_state* state) noexcept {
  return c::guarded(c::Function("rafter_heat_solver_state"), [&](const c::Function& function) {
    const auto& any = c::required(function, "solver", solver).solver.any;
    rafter_heat_state result{};
    std::visit(
        [&](const auto& held) {
          const rafter::HeatSummary summary = held.summary();
          result = {0, held.n_steps(), held.time(), summary.total, summary.min, summary.max};
        },
        any);
    c::write_struct(function, "state", state, sizeof(rafter_heat_state), result);
  });
}
