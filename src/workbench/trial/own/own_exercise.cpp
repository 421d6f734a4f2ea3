#include "workbench/trial/own/own_exercise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/pattern.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/answer.hpp"
#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/exercises.hpp"
#include "workbench/trial/own/exercise_file.hpp"
#include "workbench/trial/own/own_reference.hpp"
#include "workbench/trial/own/own_values.hpp"
#include "workbench/trial/signature.hpp"

namespace rafter::trial {
namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* course_file = "course.json";

struct OwnArray {
  base::Expression size;
  std::string words;  ///< of its values
  bool is_read = false, is_sorted = false;
};

/// Everything that an exercise file says. Sizes and limits are expressions of the numbers of a case.
struct OwnExercise {
  lab::Exercise exercise{};  ///< without cases
  std::vector<ParameterType> types{};
  std::map<std::string, OwnArray> arrays{};
  json cases{};
  std::vector<std::string> grid{};  ///< x, y, z
  fs::path reference{};
  double absolute = 0, relative = 0;
  std::optional<base::Expression> most_loads{}, most_atomics{}, most_results{};
  lab::Method rules{};
};

std::vector<std::string> scalar_names(const OwnExercise& own) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < own.types.size(); ++i) {
    if (!own.types[i].is_pointer) names.push_back(own.exercise.parameters[i].name);
  }
  return names;
}

/// Reads "float a, const float* x" with the reader of kernels.
void read_parameters(const ExerciseFile& file, OwnExercise& own) {
  const std::string text = file.text("parameters");
  const auto kernels = simt::build::find_kernels("__global__ void kernel(" + text + ") {}\n");
  if (kernels.size() != 1) file.refuse("'parameters' are not those of a function: " + text);
  const simt::build::Kernel& kernel = kernels.front();
  for (std::size_t i = 0; i < kernel.types.size(); ++i) {
    const ParameterType type = parameter_type(kernel.types[i]);
    if (kernel.parameters[i].empty()) file.refuse(fmt::format("parameter {} has no name", i + 1));
    try {
      spelling_of(type.element);
    } catch (const Error&) {
      file.refuse(
          fmt::format("parameter {} is a {}; arrays and numbers have elements of type float, double, __half, "
                      "__nv_bfloat16, or an integer type",
                      kernel.parameters[i], kernel.types[i]));
    }
    own.types.push_back(type);
    const std::string spelling = base::Pattern(R"(\s+\*)").replace(kernel.types[i], "*");
    own.exercise.parameters.push_back({spelling, kernel.parameters[i]});
  }
  if (own.types.empty()) file.refuse("'parameters' is empty: a kernel needs an array for its results");
}

void read_arrays(const ExerciseFile& file, OwnExercise& own) {
  const ExerciseFile arrays = file.part("arrays");
  std::vector<std::string> known;
  bool has_output = false;
  for (std::size_t i = 0; i < own.types.size(); ++i) {
    if (!own.types[i].is_pointer) continue;
    const std::string& name = own.exercise.parameters[i].name;
    known.push_back(name);
    const ExerciseFile array = arrays.part(name);
    const bool is_input = own.types[i].is_const;
    array.require_known({"size", "values", "is_read", "is_sorted"});
    const bool is_read = is_input || array.flag("is_read");
    const std::string default_words = own.types[i].is_float() ? "fractions" : "uniform(-100, 100)";
    if (!is_read && array.has("values"))
      array.refuse("it is an output, so its values before are not seen; \"is_read\": true makes it an input, too");
    const std::string words = array.has("values") ? array.words("values") : default_words;
    array.guarded([&] { ArrayValues{words}; });
    own.arrays.emplace(name, OwnArray{array.expression("size"), words, is_read, array.flag("is_sorted")});
    has_output = has_output || !is_input;
  }
  arrays.require_known(known);
  if (!has_output) file.refuse("no parameter is an array that is not const, so there is no result");
}

void read_rules(const ExerciseFile& file, OwnExercise& own) {
  if (!file.has("rules")) return;
  const ExerciseFile rules = file.part("rules");
  rules.require_known(
      {"shared_memory", "atomics", "most_atomics", "most_loads", "results_per_thread", "launches", "copies_to_host"});
  own.rules.uses_shared = rules.flag("shared_memory");
  own.rules.uses_atomics = rules.flag("atomics");
  own.rules.may_copy_to_host = rules.flag("copies_to_host", true);
  own.rules.n_launches = static_cast<std::int64_t>(rules.number("launches", 1));
  if (rules.has("most_atomics")) own.most_atomics = rules.expression("most_atomics");
  if (rules.has("most_loads")) own.most_loads = rules.expression("most_loads");
  if (rules.has("results_per_thread")) own.most_results = rules.expression("results_per_thread");
}

void read_launch(const ExerciseFile& file, OwnExercise& own) {
  const std::string kind = file.text("kind", "kernel");
  if (kind == "host function") {
    own.exercise.kind = lab::ExerciseKind::host_function;
    own.exercise.block = {1};
    for (const char* key : {"block", "grid"}) {
      if (file.has(key)) file.refuse(fmt::format("a host function launches its own kernels and takes no '{}'", key));
    }
    return;
  }
  if (kind != "kernel")
    file.refuse("'kind': " + base::unknown_name("kind", kind, std::vector<std::string>{"kernel", "host function"}));
  own.exercise.block = block_of(file.words("block"), own.exercise);
  own.exercise.grid = file.words("grid") + " blocks, rounded up";
  own.grid = base::split_list(file.words("grid"));
  if (own.grid.empty() || own.grid.size() > 3) file.refuse("'grid' has one to three expressions");
  std::vector<std::string> names = scalar_names(own);
  names.insert(names.end(), {"block_x", "block_y", "block_z"});
  for (const std::string& extent : own.grid) file.require_names("grid", extent, names);
}

void read_tolerance(const ExerciseFile& file, OwnExercise& own) {
  if (!file.has("tolerance")) return;
  if (!file.is_object("tolerance")) {
    own.relative = file.number("tolerance", 0);
  } else {
    const ExerciseFile tolerance = file.part("tolerance");
    tolerance.require_known({"absolute", "relative"});
    own.absolute = tolerance.number("absolute", 0);
    own.relative = tolerance.number("relative", 0);
  }
  if (own.absolute < 0 || own.relative < 0) file.refuse("'tolerance' is negative");
  if (own.relative >= 0.5) file.refuse("'tolerance' is relative to the result: 0.5 or more accepts nearly everything");
}

/// The numbers of a case, by parameter.
base::Names numbers_of(const ExerciseFile& file, const OwnExercise& own, const json& one, std::size_t place) {
  const std::vector<std::string> names = scalar_names(own);
  const std::string what = fmt::format("case {}", place + 1);
  if (!one.is_object()) file.refuse(what + " is not an object, such as {\"n\": 1000}");
  base::Names numbers;
  for (const auto& [name, value] : one.items()) {
    if (name == "values") continue;
    if (std::find(names.begin(), names.end(), name) == names.end())
      file.refuse(fmt::format("{}: {}", what, base::unknown_name("parameter", name, names)));
    if (!value.is_number()) file.refuse(fmt::format("{}: '{}' is not a number", what, name));
    numbers[name] = value.get<double>();
  }
  for (const std::string& name : names) {
    if (!numbers.contains(name)) file.refuse(fmt::format("{} has no value for '{}'", what, name));
  }
  return numbers;
}

void read_cases(const ExerciseFile& file, OwnExercise& own) {
  constexpr double most_elements = 1 << 22;
  own.cases = file.list("cases");
  std::vector<std::string> arrays;
  for (const auto& [name, array] : own.arrays) arrays.push_back(name);
  for (std::size_t i = 0; i < own.cases.size(); ++i) {
    const base::Names numbers = numbers_of(file, own, own.cases[i], i);
    const json of_case = own.cases[i].value("values", json::object());
    for (const auto& [name, words] : of_case.items()) {
      if (!own.arrays.contains(name))
        file.refuse(fmt::format("case {}: {}", i + 1, base::unknown_name("array", name, arrays)));
      if (!own.arrays.at(name).is_read) file.refuse(fmt::format("case {}: {} is an output only", i + 1, name));
      const std::string values = words.is_string() ? words.get<std::string>() : words.dump();
      file.guarded([&] { ArrayValues{values}; });
    }
    for (const auto& [name, array] : own.arrays) {
      const double size = file.evaluated(array.size, numbers, fmt::format("case {}: the size of {}", i + 1, name));
      if (!(size >= 0 && size <= most_elements) || size != std::floor(size))
        file.refuse(
            fmt::format("case {}: {} has {:g} elements; whole numbers from 0 to {:g} are possible, because "
                        "every access is checked",
                        i + 1, name, size, most_elements));
    }
  }
}

lab::Extents grid_of(const OwnExercise& own, base::Names names, const lab::Extents& block) {
  names.insert({{"block_x", static_cast<double>(block.x)},
                {"block_y", static_cast<double>(block.y)},
                {"block_z", static_cast<double>(block.z)}});
  std::int64_t extents[3] = {1, 1, 1};
  for (std::size_t i = 0; i < own.grid.size(); ++i)
    extents[i] = std::max<std::int64_t>(1, std::llround(std::ceil(base::evaluate(own.grid[i], names))));
  return {extents[0], extents[1], extents[2]};
}

lab::ExerciseArgument scalar_argument(const ParameterType& type, double value) {
  lab::ExerciseArgument made{.type = type.element};
  append_element(made.bytes, type.element, value);
  const std::int64_t whole = std::llround(value);
  if (type.is_integer()) made = type.bits() == 64 ? lab::scalar(whole) : lab::scalar_i32(whole);
  return made;
}

/// A case without its answers.
lab::ExerciseCase unanswered_case(const OwnExercise& own, std::size_t place, const lab::CaseRequest& request) {
  const json& from = own.cases[place];
  base::Names numbers;
  lab::ExerciseCase one;
  for (const auto& [name, value] : from.items()) {
    if (!value.is_number()) continue;
    numbers[name] = value.get<double>();
    one.text += fmt::format("{}{}={}", one.text.empty() ? "" : " ", name, value.dump());
  }
  if (one.text.empty()) one.text = fmt::format("case {}", place + 1);
  const json of_case = from.value("values", json::object());
  for (const auto& [name, words] : of_case.items())
    one.text += fmt::format(" {}:{}", name, words.is_string() ? words.get<std::string>() : words.dump());
  one.grid = own.exercise.kind == lab::ExerciseKind::kernel ? grid_of(own, numbers, request.block) : lab::Extents{0};
  one.block = own.exercise.kind == lab::ExerciseKind::kernel ? request.block : lab::Extents{0};
  std::int64_t n_results = 0;
  for (std::size_t i = 0; i < own.types.size(); ++i) {
    const std::string& name = own.exercise.parameters[i].name;
    const ParameterType& type = own.types[i];
    if (!type.is_pointer) {
      one.arguments.push_back(scalar_argument(type, numbers.at(name)));
      continue;
    }
    const OwnArray& array = own.arrays.at(name);
    const std::int64_t n = array.size.evaluate_integer(numbers);
    lab::ExerciseArgument made{.role = type.is_const ? lab::ArgumentRole::input : lab::ArgumentRole::output,
                               .type = type.element,
                               .is_written = array.is_read};
    if (!type.is_const) n_results = std::max(n_results, n);
    if (array.is_read) {
      const json words = of_case.value(name, json(array.words));
      made.bytes = ArrayValues(words.is_string() ? words.get<std::string>() : words.dump())
                       .make(type.element, n, array.is_sorted, request.of(100 * place + i), numbers);
    } else {
      made.bytes.assign(static_cast<std::size_t>(n * lab::element_bytes(type.element)), std::byte{0xff});
    }
    one.arguments.push_back(std::move(made));
  }
  one.method = own.rules;
  constexpr std::int64_t few = 64;  // results, which a kernel may compute in any way
  if (n_results < few) one.method.uses_shared = one.method.uses_atomics = false;
  if (own.most_loads)
    one.loads = {own.most_loads->evaluate_integer(numbers),
                 "Load each element once, and keep what several threads need in shared memory."};
  if (own.most_atomics)
    one.atomics = {own.most_atomics->evaluate_integer(numbers),
                   "Let the threads of a warp or a block combine their values first."};
  if (own.most_results) {
    std::int64_t bytes = 0;
    for (const ParameterType& type : own.types)
      bytes += type.is_pointer && !type.is_const ? lab::element_bytes(type.element) : 0;
    one.method.share = lab::share_of_results(own.most_results->evaluate_integer(numbers), 0, bytes, one.block);
  }
  return one;
}

std::vector<lab::ExerciseCase> own_cases(const OwnExercise& own, const lab::CaseRequest& request) {
  std::vector<lab::ExerciseCase> all;
  for (std::size_t i = 0; i < own.cases.size(); ++i) all.push_back(unanswered_case(own, i, request));
  const auto answers = reference_answers(own.reference, own.exercise, all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<Answer> expected;
    for (std::size_t k = 0; k < own.types.size(); ++k) {
      const lab::ExerciseArgument& argument = all[i].arguments[k];
      if (argument.role != lab::ArgumentRole::output) continue;
      expected.push_back({.argument = k,
                          .name = own.exercise.parameters[k].name,
                          .type = argument.type,
                          .bytes = answers[i][k].bytes,
                          .absolute = own.absolute,
                          .relative = own.relative,
                          .is_unset = !argument.is_written,
                          .answer_type = answers[i][k].type});
    }
    all[i].check = [expected](const lab::ArraysAfter& after) -> std::string {
      for (const Answer& answer : expected) {
        if (std::string wrong = answer.compare(after[answer.argument]); !wrong.empty()) return wrong;
      }
      return "";
    };
  }
  return all;
}

lab::Exercise read_own_exercise(const fs::path& path) {
  const ExerciseFile file(path);
  file.require_known({"kernel", "parameters", "title", "computes", "promise", "kind", "block", "grid", "arrays",
                      "cases", "reference", "tolerance", "rules", "hints"});
  const auto own = std::make_shared<OwnExercise>();
  lab::Exercise& exercise = own->exercise;
  exercise.workload = path.string();
  exercise.file = fs::absolute(path).lexically_normal().string();
  exercise.kernel = file.text("kernel");
  exercise.title = file.text("title");
  exercise.computes = file.text("computes");
  exercise.promise = file.text("promise", "");
  read_parameters(file, *own);
  read_launch(file, *own);
  read_arrays(file, *own);
  read_rules(file, *own);
  read_tolerance(file, *own);
  read_cases(file, *own);
  own->reference = fs::absolute(path).parent_path() / file.text("reference");
  std::error_code ignored;
  if (!fs::is_regular_file(own->reference, ignored))
    file.refuse(fmt::format("there is no reference file {}", own->reference.string()));
  if (file.has("hints")) {
    for (const json& hint : file.list("hints")) {
      if (!hint.is_string()) file.refuse("'hints' are texts");
      exercise.hints.push_back(hint.get<std::string>());
    }
  }
  lab::Exercise made = exercise;
  made.cases = [own](const lab::CaseRequest& request) { return own_cases(*own, request); };
  return made;
}

/// The exercise files of a course, or the one file.
std::vector<fs::path> exercise_files(const std::string& name) {
  if (!fs::is_directory(name)) return {name};
  const ExerciseFile course(fs::path(name) / course_file);
  course.require_known({"title", "exercises"});
  std::vector<fs::path> all;
  for (const json& one : course.list("exercises")) {
    if (!one.is_string()) course.refuse("'exercises' are the names of exercise files");
    const fs::path path = fs::path(name) / one.get<std::string>();
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) {
      all.push_back(path);
      continue;
    }
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(name, ignored)) {
      if (entry.path().extension() == ".json" && entry.path().filename() != course_file)
        known.push_back(entry.path().filename().string());
    }
    course.refuse(base::unknown_name("exercise", one.get<std::string>(), known));
  }
  return all;
}

}  // namespace

bool is_own_exercise(const std::string& name) {
  std::error_code ignored;
  return (name.ends_with(".json") && !is_definition(name)) ||
         fs::is_regular_file(fs::path(name) / course_file, ignored);
}

std::vector<lab::Exercise> own_exercises(const std::string& name) {
  std::vector<lab::Exercise> all;
  for (const fs::path& path : exercise_files(name)) {
    all.push_back(read_own_exercise(path));
    const auto same = std::count_if(all.begin(), all.end(),
                                    [&](const lab::Exercise& one) { return one.kernel == all.back().kernel; });
    if (same > 1)
      throw Error(ErrorCode::bad_argument,
                  fmt::format("{}: two exercises of the course are called {}", path.string(), all.back().kernel));
  }
  return all;
}

std::vector<fs::path> own_files(const std::string& name) {
  std::vector<fs::path> all;
  for (const fs::path& path : exercise_files(name)) {
    all.push_back(path);
    all.push_back(fs::absolute(path).parent_path() / ExerciseFile(path).text("reference"));
  }
  return all;
}

}  // namespace rafter::trial
