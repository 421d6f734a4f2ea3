#include "workbench/bench/kernel_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/messages.hpp"
#include "base/random.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/answers.hpp"
#include "workbench/bench/binding.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

std::vector<Variant> variants_of(const KernelPlan& plan, const Library& library) {
  std::vector<Variant> variants;
  for (const std::string& kernel : plan.rungs()) variants.push_back({kernel, kernel, &library});
  return variants;
}

namespace {

/// Calls `keep` for each variable; it returns the known ones if there is none of that name.
template <class Keep>
void require_variables(const std::vector<std::string>& variables, const Keep& keep) {
  for (const std::string& variable : variables) {
    const std::vector<std::string> known = keep(variable);
    if (!known.empty())
      throw Error(ErrorCode::bad_argument, "--may-keep: " + base::unknown_name("variable", variable, known));
  }
}

}  // namespace

KernelCase::KernelCase(const KernelPlan& plan, const std::vector<Variant>& variants, const lab::Params& params,
                       const Stream& stream, const lab::CaseOptions& options, Guard guard)
    : ArrayCase(stream, options),
      plan_(plan),
      library_(*variants.front().library),
      names_(names_of(params)),
      guard_(std::move(guard)) {
  guard_.ended();
  if (stream.device() == Device::cuda) {
    read_modules(variants);
  } else {
    require_variables(plan_.may_keep,
                      [&](const std::string& variable) { return core::backend(stream.device()).keep_state(variable); });
  }
  make_arrays();
  for (const TableFunction& function : library_.functions()) {
    const bool is_reference = !function.is_kernel || plan_.is_reference(function.name);
    if (is_reference) references_.emplace(function.name, bind(library_, function, variants.front().macros));
  }
  for (const Variant& variant : variants)
    bound_.emplace(variant.name, bind(*variant.library, variant.library->called(variant.kernel), variant.macros));
  is_written_.resize(arrays_.size(), false);
  if (plan_.expectations.empty()) {
    run_references();
  } else {
    read_answers();
  }
}

/// Keeps the initial values of the variables of all libraries, except of those that kernels may keep.
void KernelCase::read_modules(const std::vector<Variant>& variants) {
  std::set<const Library*> libraries;
  for (const Variant& variant : variants) {
    if (!libraries.insert(variant.library).second) continue;
    const auto& functions = variant.library->functions();
    const auto kernel = std::find_if(functions.begin(), functions.end(), [](const auto& f) { return f.is_kernel; });
    if (kernel == functions.end()) continue;
    auto state = std::make_shared<lab::ModuleState>(variant.library->file(), variant.library->kernel(*kernel));
    require_variables(plan_.may_keep, [&](const std::string& variable) { return state->keep(variable); });
    modules_.push_back(std::move(state));
  }
}

void KernelCase::forget_state() {
  ArrayCase::forget_state();
  for (const auto& module : modules_) module->restore(stream());
}

bool KernelCase::can_renew() const {
  return stream().device() == Device::cuda && plan_.expectations.empty() &&
         references_.at(first_reference_).function->is_kernel &&
         std::any_of(arrays_.begin(), arrays_.end(), [](const auto& array) { return array->is_renewable(); });
}

void KernelCase::renew_inputs(int set, std::uint64_t secret) {
  for (const auto& array : arrays_) {
    if (array->is_renewable()) array->renew(set, secret = lab::mix(secret));
  }
  prepare(set);
  call(references_.at(first_reference_), stream(), set, nullptr);
  stream().synchronize();
  guard_.ended();
  for (const auto& array : arrays_) {
    // A key of its own: `secret` can be computed from the inputs.
    if (array->is_result()) array->seal(set, base::random_word());
  }
}

double KernelCase::tolerance(const Array& array) const {
  const double standard = default_tolerance(array.type);
  return plan_.tolerance > 0 && standard > 0 ? plan_.tolerance : standard;
}

// ---- arrays and arguments ----

void KernelCase::make_arrays() {
  for (const Argument& argument : plan_.arguments) {
    if (!argument.is_array()) continue;
    const Array array = evaluate_array(argument, names_);
    const Use use = use_of(argument, library_.functions(), plan_);
    arrays_.push_back(make_array(*this, array, use, !plan_.expectations.empty()));
  }
}

KernelCase::Bound KernelCase::bind(const Library& library, const TableFunction& function,
                                   const base::Names& macros) const {
  Bound bound{.library = &library, .function = &function};
  base::Names all = names_;
  all.insert(macros.begin(), macros.end());
  if (function.is_kernel) bound.shape = shape_of(function.name, plan_.launches.at(function.name), all);
  const std::vector<Argument> arguments = bind_arguments(function, plan_);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const TableParameter& parameter = function.parameters[i];
    std::size_t place = no_array;
    std::vector<std::byte> value(sizeof(void*));  // a null pointer
    if (arguments[i].is_array()) {
      const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                      [&](const auto& array) { return array->shape().name == arguments[i].name; });
      place = static_cast<std::size_t>(found - arrays_.begin());
      require_fit((*found)->shape(), parameter, function);
    } else if (!arguments[i].is_null()) {
      value = evaluate_scalar(arguments[i], *parameter.type, names_);
    }
    bound.arrays.push_back(place);
    bound.values.push_back(std::move(value));
  }
  return bound;
}

void KernelCase::call(const Bound& bound, const Stream& stream, int set, const std::vector<void*>* host_arrays) {
  std::vector<void*> pointers(bound.arrays.size()), arguments(bound.arrays.size());
  for (std::size_t i = 0; i < bound.arrays.size(); ++i) {
    const std::size_t array = bound.arrays[i];
    if (array == no_array) {
      arguments[i] = const_cast<std::byte*>(bound.values[i].data());
    } else {
      pointers[i] = host_arrays != nullptr ? (*host_arrays)[array] : arrays_[array]->data(set);
      arguments[i] = &pointers[i];
    }
  }
  constexpr double patience_with_hosts = 30;  // one host thread does the work of a GPU
  guard_.begins(bound.function->name, bound.function->is_kernel ? 1 : patience_with_hosts);
  bound.library->call(*bound.function, arguments.data(), bound.shape, stream.handle());
}

void KernelCase::launch(const std::string& variant, const Stream& stream, int set) {
  call(bound_.at(variant), stream, set, nullptr);
}

// ---- answers ----

void KernelCase::run_references() {
  for (int set = 0; set < n_input_sets(); ++set) {
    answers_.emplace_back();
    for (const std::string& kernel : plan_.reference_kernels) add_answers(kernel, set, answers_of(kernel, set));
    for (const std::string& function : plan_.reference_functions) add_answers(function, set, answers_of(function, set));
    find_written(set);
  }
  if (std::none_of(is_written_.begin(), is_written_.end(), [](bool written) { return written; }))
    throw Error(ErrorCode::bad_argument,
                fmt::format("the reference {} writes nothing: no array is changed by it", first_reference_));
}

std::vector<HostBytes> KernelCase::answers_of(const std::string& reference, int set) {
  const Bound& bound = references_.at(reference);
  const auto run = [&](std::byte before) {
    return bound.function->is_kernel ? run_kernel(bound, set, before) : run_function(bound, set, before);
  };
  std::vector<HostBytes> answers = run(poison);
  if (may_be_unset(arrays_, answers)) require_complete(reference, arrays_, answers, run(other_poison));
  const bool may_give_nan = std::any_of(plan_.arguments.begin(), plan_.arguments.end(), [](const Argument& argument) {
    return argument.fill.kind == FillRule::Kind::nan || argument.fill.kind == FillRule::Kind::file;
  });
  if (!may_give_nan) require_numbers(reference, arrays_, answers);
  return answers;
}

std::vector<HostBytes> KernelCase::run_kernel(const Bound& bound, int set, std::byte before) {
  prepare(set);
  for (const auto& array : arrays_) {
    if (before != poison && array->use() == Use::output)
      core::backend(stream().device())
          .fill_bytes(stream().handle(), array->data(set), std::to_integer<int>(before), array->shape().bytes());
  }
  call(bound, stream(), set, nullptr);
  stream().synchronize();
  guard_.ended();
  return results(set);
}

std::vector<HostBytes> KernelCase::results(int set) const {
  std::vector<HostBytes> bytes(arrays_.size());
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i]->is_result()) bytes[i] = arrays_[i]->on_host(set);
  }
  return bytes;
}

std::vector<HostBytes> KernelCase::run_function(const Bound& bound, int set, std::byte before) {
  prepare(set);
  std::vector<HostBytes> memory;
  std::vector<void*> pointers;
  for (const auto& array : arrays_) {
    memory.push_back(array->on_host(set));
    if (array->use() == Use::output) std::fill(memory.back().begin(), memory.back().end(), before);
  }
  for (HostBytes& bytes : memory) pointers.push_back(bytes.data());
  call(bound, stream(), set, &pointers);
  guard_.ended();
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result()) memory[i].clear();
  }
  return memory;
}

void KernelCase::add_answers(const std::string& reference, int set, std::vector<HostBytes> answers) {
  auto& known = answers_[static_cast<std::size_t>(set)];
  if (known.empty()) {
    known = std::move(answers);
    first_reference_ = reference;
    return;
  }
  // The arrays have the results of this reference now; compare them with those of the first one.
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result()) continue;
    const lab::Comparison comparison =
        compare_bytes(arrays_[i]->shape(), answers[i], known[i], tolerance(arrays_[i]->shape()));
    if (!comparison.ok()) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("the references disagree: in {}, {} has {} compared with {}", arrays_[i]->shape().name,
                              reference, comparison.text(), first_reference_));
    }
  }
}

/// Finds the arrays that a reference changes in an input set.
void KernelCase::find_written(int set) {
  prepare(set);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result() || is_written_[i]) continue;
    is_written_[i] = arrays_[i]->on_host(set) != answers_[static_cast<std::size_t>(set)][i];
  }
}

bool KernelCase::hardly_depends_on_inputs() const {
  const auto varies = [](const auto& array) {
    return array->shape().fill.kind == Fill::Kind::random && !array->shape().fill.has_seed && array->shape().size() > 0;
  };
  if (answers_.size() < 2 || !plan_.expectations.empty() || std::none_of(arrays_.begin(), arrays_.end(), varies))
    return false;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!is_written_[i]) continue;
    const Array& array = arrays_[i]->shape();
    if (!compare_bytes(array, answers_[0][i], answers_[1][i], tolerance(array)).ok()) return false;
  }
  return true;
}

void KernelCase::read_answers() {
  std::vector<HostBytes> answers(arrays_.size());
  std::vector<std::string> outputs;
  std::size_t n_found = 0;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i]->use() == Use::scratch) continue;
    const std::string& name = arrays_[i]->shape().name;
    outputs.push_back(name);
    const auto found = plan_.expectations.find(name);
    if (found != plan_.expectations.end()) {
      answers[i] = read_npy(arrays_[i]->shape(), found->second);
      is_written_[i] = true;
      ++n_found;
    } else if (arrays_[i]->use() == Use::output) {
      throw Error(ErrorCode::bad_argument,
                  fmt::format("there is no expected content of '{0}': --reference {0}=FILE.npy", name));
    } else if (arrays_[i]->use() == Use::in_out) {
      prepare(0);
      answers[i] = arrays_[i]->on_host(0);
    }
  }
  for (const auto& entry : plan_.expectations) {
    if (n_found < plan_.expectations.size() && std::find(outputs.begin(), outputs.end(), entry.first) == outputs.end())
      throw Error(ErrorCode::bad_argument, "--reference: " + base::unknown_name("array", entry.first, outputs));
  }
  answers_.assign(static_cast<std::size_t>(n_input_sets()), answers);
}

lab::Comparison KernelCase::compare_results(int set) const {
  guard_.ended();
  std::optional<lab::Comparison> all;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (!arrays_[i]->is_result()) continue;
    const Array& array = arrays_[i]->shape();
    lab::Comparison one = arrays_[i]->is_sealed(set)
                              ? arrays_[i]->compare_with_sealed(set, tolerance(array))
                              : arrays_[i]->compare_with(answers_[static_cast<std::size_t>(set)][i], tolerance(array));
    if (!one.ok()) {
      one.complaint =
          fmt::format("the array is '{}'{}{}", array.name, one.complaint.empty() ? "" : "; ", one.complaint);
      return one;
    }
    if (all) {
      all->add(one);
    } else {
      all = one;
    }
  }
  return all ? *all : lab::nothing_to_compare();
}

lab::Cost KernelCase::cost() const {
  lab::Cost cost;
  bool any_double = false;
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    if (arrays_[i]->use() == Use::scratch) continue;
    const auto bytes = static_cast<double>(arrays_[i]->shape().bytes());
    if (arrays_[i]->use() != Use::output) cost.bytes_read += bytes;
    if (is_written_[i]) cost.bytes_written += bytes;
    any_double = any_double || arrays_[i]->shape().type == ElementType::f64;
  }
  if (plan_.bytes) {
    const double share = plan_.bytes->evaluate(names_) / cost.bytes();
    cost.bytes_read *= share;
    cost.bytes_written *= share;
  }
  if (plan_.flops) {
    const double n = plan_.flops->evaluate(names_);
    cost.operations = lab::operations_on(any_double ? lab::Unit::fp64 : lab::Unit::fp32, n);
  }
  return cost;
}

}  // namespace rafter::bench
