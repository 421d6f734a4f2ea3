// The heat equation: HeatSolver and heat_advance.
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <array>
#include <mutex>
#include <tuple>

#include "call.hpp"
#include "modules.hpp"

namespace rafter::python {

using namespace nb::literals;

namespace {

using Three = std::tuple<double, double, double>;

rafter_heat_problem problem_of(const Three& spacing, double alpha, double dt, int order) {
  rafter_heat_problem problem = RAFTER_HEAT_PROBLEM_INIT;
  std::tie(problem.spacing[0], problem.spacing[1], problem.spacing[2]) = spacing;
  problem.alpha = alpha;
  problem.dt = dt;
  problem.order = order;
  return problem;
}

nb::object heat_advance(nb::handle x, std::int64_t n_steps, const Three& spacing, double alpha, double dt, int order,
                        nb::handle out, nb::handle work) {
  Call call("heat_advance");
  const rafter_heat_problem problem = problem_of(spacing, alpha, dt, order);
  const Array& from = call.in("x", x);
  const auto to = call.result("out", out, from.tensor()->dtype, from.shape());
  const auto scratch = call.result("work", work, from.tensor()->dtype, from.shape());
  call.run([&](rafter_stream* stream) {
    return rafter_heat_advance(stream, from.tensor(), &problem, n_steps, to.tensor(), scratch.tensor());
  });
  return to.object;
}

/// A field and its time. The object is used by one thread at a time, which its own lock ensures.
class HeatSolver {
 public:
  HeatSolver(const std::array<std::int64_t, 3>& shape, nb::handle dtype, const Three& spacing, double alpha, double dt,
             int order, const std::string& boundary, const std::string& device)
      : shape_(shape), type_(type_of("HeatSolver: dtype", dtype)), problem_(problem_of(spacing, alpha, dt, order)) {
    const int kind = choice("HeatSolver", "boundary", boundary, {"frozen", "periodic", "zero_flux"});
    const int where = choice("HeatSolver", "device", device, {"cpu", "cuda"});
    rafter_stream* gpu = nullptr;
    if (where == 1) require(rafter_stream_new_cuda(-1, &gpu), "HeatSolver");
    const rafter_status status =
        rafter_heat_solver_create(where == 1 ? gpu : cpu_stream(), type_, shape_.data(), &problem_, kind, &solver_);
    rafter_stream_destroy(gpu);
    require(status, "HeatSolver");
    if (problem_.dt == 0) require(rafter_heat_default_dt(&problem_, &problem_.dt), "HeatSolver");
  }
  ~HeatSolver() { rafter_heat_solver_destroy(solver_); }
  HeatSolver(const HeatSolver&) = delete;
  HeatSolver& operator=(const HeatSolver&) = delete;

  void set_field(nb::handle field, std::int64_t n_steps) {
    const Array from("HeatSolver.set_field", "field", field, Access::read);
    run("HeatSolver.set_field", [&] { return rafter_heat_solver_set_field(solver_, from.tensor(), n_steps); });
  }
  void advance(std::int64_t n_steps) {
    run("HeatSolver.advance", [&] { return rafter_heat_solver_advance(solver_, n_steps); });
  }
  nb::object field(nb::handle out) const {
    nb::object to = nb::borrow(out);
    if (out.is_none())
      to = nb::module_::import_("numpy").attr("empty")(nb::make_tuple(shape_[0], shape_[1], shape_[2]),
                                                       type_name(type_).c_str());
    const Array array("HeatSolver.field", "out", to, Access::write);
    run("HeatSolver.field", [&] { return rafter_heat_solver_field(solver_, array.tensor()); });
    return to;
  }
  rafter_heat_state state() const {
    rafter_heat_state state{};
    state.struct_size = sizeof state;
    run("HeatSolver", [&] { return rafter_heat_solver_state(solver_, &state); });
    return state;
  }
  const std::array<std::int64_t, 3>& shape() const { return shape_; }
  double dt() const { return problem_.dt; }

 private:
  template <class Function>
  void run(const char* op, Function&& function) const {
    rafter_status status;
    {
      const nb::gil_scoped_release released;
      const std::lock_guard lock(mutex_);
      status = function();
    }
    require(status, op);
  }

  std::array<std::int64_t, 3> shape_;
  rafter_dtype type_;
  rafter_heat_problem problem_;
  rafter_heat_solver* solver_ = nullptr;
  mutable std::mutex mutex_;
};

}  // namespace

void add_heat(nb::module_& module) {
  module.def("heat_advance", &heat_advance, "x"_a, "n_steps"_a, nb::kw_only(), "spacing"_a = Three{1, 1, 1},
             "alpha"_a = 1.0, "dt"_a = 0.0, "order"_a = 8, "out"_a = nb::none(), "work"_a = nb::none(),
             "Returns a field [nz, ny, nx] after n_steps RK4 steps of the heat equation with frozen edges. out may be "
             "x; work is overwritten.");
  nb::class_<HeatSolver>(module, "HeatSolver",
                         "A field on a device and its time: diffusion on a uniform grid, RK4 in time.")
      .def(nb::init<const std::array<std::int64_t, 3>&, nb::handle, const Three&, double, double, int,
                    const std::string&, const std::string&>(),
           "shape"_a, nb::kw_only(), "dtype"_a = "float32", "spacing"_a = Three{1, 1, 1}, "alpha"_a = 1.0, "dt"_a = 0.0,
           "order"_a = 8, "boundary"_a = "frozen", "device"_a = "cpu")
      .def("set_field", &HeatSolver::set_field, "field"_a, "n_steps"_a = 0,
           "Sets the field, an array in host memory, as the state after n_steps steps.")
      .def("advance", &HeatSolver::advance, "n_steps"_a, "Advances the field by n_steps steps.")
      .def("field", &HeatSolver::field, nb::kw_only(), "out"_a = nb::none(),
           "Copies the field to host memory: to out, or to a new NumPy array.")
      .def_prop_ro("shape", &HeatSolver::shape)
      .def_prop_ro("dt", &HeatSolver::dt, "The time of one step.")
      .def_prop_ro("n_steps", [](const HeatSolver& solver) { return solver.state().n_steps; })
      .def_prop_ro("time", [](const HeatSolver& solver) { return solver.state().time; })
      .def_prop_ro(
          "total", [](const HeatSolver& solver) { return solver.state().total; },
          "The sum over all cells times the volume of a cell.")
      .def_prop_ro("min", [](const HeatSolver& solver) { return solver.state().min; })
      .def_prop_ro("max", [](const HeatSolver& solver) { return solver.state().max; });
}

}  // namespace rafter::python
