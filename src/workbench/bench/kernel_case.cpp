#include "workbench/bench/kernel_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/messages.hpp"
#include "base/random.hpp"
#include "library/core/stream/backend.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/binding.hpp"
#include "workbench/lab/data/generate.hpp"

namespace rafter::bench {

std::vector<Variant> variants_of(const KernelPlan& plan, const Library& library) {
  std::vector<Variant> variants;
  for (const std::string& kernel : plan.rungs()) variants.push_back({kernel, kernel, &library});
  return variants;
}

namespace {

/// The libraries of the variants, each once.
std::vector<const Library*> libraries_of(const std::vector<Variant>& variants) {
  std::vector<const Library*> libraries;
  for (const Variant& variant : variants) {
    if (std::find(libraries.begin(), libraries.end(), variant.library) == libraries.end())
      libraries.push_back(variant.library);
  }
  return libraries;
}

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
  for (const std::string& name : plan_.reference_kernels)
    references_.emplace(name, bind(library_, name, variants.front().macros, Role::reference));
  for (const std::string& name : plan_.reference_functions)
    references_.emplace(name, bind(library_, name, variants.front().macros, Role::reference));
  for (const Variant& variant : variants) {
    const Role role = plan_.is_reference(variant.kernel) ? Role::reference : Role::subject;
    bound_.emplace(variant.name, bind(*variant.library, variant.kernel, variant.macros, role));
  }
  for (const Library* library : libraries_of(variants)) {
    for (std::size_t i = 0; i < plan_.symbols.size(); ++i) {
      const TableSymbol& symbol = library->symbols().at(i);
      symbols_.push_back({library, &symbol, evaluate_symbol(plan_.symbols[i], symbol, names_, options.seed)});
    }
  }
  is_written_.resize(arrays_.size(), false);
  if (plan_.expectations.empty()) {
    run_references();
  } else {
    read_answers();
  }
}

/// Keeps the initial values of the variables of all libraries, except of those that kernels may keep.
void KernelCase::read_modules(const std::vector<Variant>& variants) {
  for (const Library* library : libraries_of(variants)) {
    auto state = std::make_shared<lab::ModuleState>(library->file(), library->module_function());
    require_variables(plan_.may_keep, [&](const std::string& variable) { return state->keep(variable); });
    modules_.push_back(std::move(state));
  }
}

void KernelCase::set_symbols() {
  for (const Symbol& symbol : symbols_) symbol.library->set(*symbol.symbol, symbol.value.data(), stream().handle());
}

void KernelCase::forget_state() {
  ArrayCase::forget_state();
  for (const auto& module : modules_) module->restore(stream());
  set_symbols();  // after the initial values
}

bool KernelCase::can_renew() const {
  return stream().device() == Device::cuda && plan_.expectations.empty() && plan_.is_reference(first_reference_) &&
         std::any_of(arrays_.begin(), arrays_.end(), [](const auto& array) { return array->is_renewable(); });
}

void KernelCase::renew_inputs(int set, std::uint64_t secret) {
  for (const auto& array : arrays_) {
    if (array->is_renewable()) array->renew(set, secret = lab::mix(secret));
  }
  prepare(set);
  run(first_reference_, references_.at(first_reference_), stream(), set, nullptr);
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
  const std::vector<MatchedCall> calls = match_all(library_, plan_);
  for (const Argument& argument : plan_.arguments) {
    if (!argument.is_array()) continue;
    const Use use = use_of(argument, calls);
    if (!is_pointed_to(argument, calls)) continue;  // a structure by value, from a file
    arrays_.push_back(make_array(*this, evaluate_array(argument, names_), use, !plan_.expectations.empty()));
  }
}

std::size_t KernelCase::place_of(const std::string& array) const {
  const auto found =
      std::find_if(arrays_.begin(), arrays_.end(), [&](const auto& one) { return one->shape().name == array; });
  if (found == arrays_.end())
    throw Error(
        ErrorCode::bad_argument,
        fmt::format("'{0}' in struct{{...}} is not an array of --arg; a number has its type, as in i32:{0}", array));
  return static_cast<std::size_t>(found - arrays_.begin());
}

KernelCase::BoundValue KernelCase::bind_value(const Operand& operand, const TableParameter& parameter,
                                              const TableFunction& function, const base::Names& names,
                                              Role role) const {
  const Argument& argument = operand.argument;
  const bool is_reference = role == Role::reference;
  BoundValue bound;
  if (!parameter.is_pointer || argument.is_null()) {
    Value value = evaluate_value(argument, parameter, names, is_reference);
    for (const Value::Pointer& pointer : value.pointers)
      bound.pointers.push_back({pointer.at, place_of(pointer.array), 0});
    bound.bytes = std::move(value.bytes);
    return bound;
  }
  const std::size_t place = place_of(argument.name);
  const Array& array = arrays_[place]->shape();
  require_fit(array, parameter, function, is_reference);
  const std::int64_t offset = operand.offset ? operand.offset->evaluate_integer(names) : 0;
  if (offset < 0 || offset > array.size())
    throw Error(ErrorCode::bad_argument,
                fmt::format("--call: '{} + {}' is not in the array of {} elements", array.name, offset, array.size()));
  if (is_reference && is_converted(array, parameter)) bound.converted = parameter.type;
  const std::int64_t bytes = bytes_of(bound.converted.value_or(array.type));
  bound.bytes.resize(sizeof(void*));
  bound.pointers.push_back({0, place, offset * bytes});
  return bound;
}

std::vector<KernelCase::Bound> KernelCase::bind(const Library& library, const std::string& subject,
                                                const base::Names& macros, Role role) const {
  base::Names all = names_;
  all.insert(macros.begin(), macros.end());
  std::vector<Bound> calls;
  for (const Call& call : plan_.calls_of(subject)) {
    const TableFunction& function = library.called(call.function);
    Bound bound{.library = &library, .function = &function};
    if (call.launch) bound.shape = shape_of(call.function, *call.launch, all);
    const MatchedCall matched = match_arguments(function, call, plan_);
    for (std::size_t i = 0; i < matched.operands.size(); ++i)
      bound.values.push_back(bind_value(matched.operands[i], function.parameters[i], function, all, role));
    calls.push_back(std::move(bound));
  }
  return calls;
}

void KernelCase::run(const std::string& name, const std::vector<Bound>& calls, const Stream& stream, int set,
                     HostArrays host) {
  constexpr double patience_with_hosts = 30;  // one host thread does the work of a GPU
  guard_.begins(name, host != nullptr ? patience_with_hosts : 1);
  for (const Bound& bound : calls) {
    const bool is_converted = std::any_of(bound.values.begin(), bound.values.end(),
                                          [](const BoundValue& value) { return value.converted.has_value(); });
    if (is_converted) {
      call_converted(bound, stream, set, host);
    } else {
      call(bound, stream, set, host);
    }
  }
}

void KernelCase::call(const Bound& bound, const Stream& stream, int set, HostArrays host) {
  std::vector<std::vector<std::byte>> values;
  std::vector<void*> arguments;
  for (const BoundValue& value : bound.values) {
    values.push_back(value.bytes);
    for (const BoundValue::Pointer& pointer : value.pointers) {
      const auto array = pointer.array;
      void* const base = host != nullptr ? (*host)[array].data() : arrays_[array]->data(set);
      void* const address = static_cast<std::byte*>(base) + pointer.offset_bytes;
      std::memcpy(values.back().data() + pointer.at, &address, sizeof address);
    }
    arguments.push_back(values.back().data());
  }
  core::Backend& device = core::backend(stream.device());
  const bool is_launcher = !bound.function->is_kernel && host == nullptr;
  if (is_launcher) {  // it launches on streams of its own: nothing of it may begin before the call or last longer
    if (device.is_capturing(stream.handle()))
      throw Error(ErrorCode::unsupported, fmt::format("{} chooses its own streams", bound.function->name));
    stream.synchronize();
  }
  bound.library->call(*bound.function, arguments.data(), bound.shape, stream.handle());
  if (is_launcher) device.synchronize_device();
}

void KernelCase::launch(const std::string& variant, const Stream& stream, int set) {
  run(variant, bound_.at(variant), stream, set, nullptr);
}

// ---- verdicts ----

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
