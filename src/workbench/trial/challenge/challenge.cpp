#include "workbench/trial/challenge/challenge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "base/files.hpp"
#include "base/json_file.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"
#include "workbench/trial/answer.hpp"
#include "workbench/trial/challenge/scripts.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

// Of LeetGPU, of Tensara, and of SOL-ExecBench.
constexpr const char* file_names[] = {"challenge.py", "def.py", "definition.json"};

std::vector<std::byte> bytes_in(const fs::path& file) {
  const std::string text = base::read_file(file).value_or("");
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

lab::ExerciseArgument scalar_of(const json& value) {
  return value.is_number_float() ? lab::scalar(value.get<float>()) : lab::scalar(value.get<std::int64_t>());
}

lab::ExerciseCase case_of(const json& from, const json& about, const fs::path& folder, int place) {
  lab::ExerciseCase one;
  std::vector<Answer> answers;
  std::string sizes;
  for (const json& parameter : about.at("parameters")) {
    const std::string name = parameter.at("name"), role = parameter.at("role");
    if (from.at("scalars").contains(name)) {
      const json& value = from.at("scalars").at(name);
      one.arguments.push_back(scalar_of(value));
      sizes += fmt::format(" {}={}", name, value.dump());
      continue;
    }
    const json& array = from.at("arrays").at(name);
    const bool is_unset = array.at("is_unset");
    std::vector<std::byte> bytes = bytes_in(folder / array.at("file").get<std::string>());
    if (is_unset) bytes.assign(bytes.size(), std::byte{0xff});
    one.arguments.push_back({.role = role == "in" ? lab::ArgumentRole::input : lab::ArgumentRole::output,
                             .type = array.at("type"),
                             .bytes = std::move(bytes),
                             .is_written = !is_unset});
    if (role == "in") continue;
    answers.push_back({.argument = one.arguments.size() - 1,
                       .name = name,
                       .type = array.at("type"),
                       .bytes = bytes_in(folder / array.at("answer").get<std::string>()),
                       .absolute = array.value("atol", about.at("atol").get<double>()),
                       .relative = array.value("rtol", about.at("rtol").get<double>()),
                       .is_unset = is_unset});
  }
  one.text = fmt::format("test {}:{}", place + 1, sizes.empty() ? " no sizes" : sizes);
  one.check = [answers](const lab::ArraysAfter& after) -> std::string {
    for (const Answer& answer : answers) {
      if (std::string wrong = answer.compare(after[answer.argument]); !wrong.empty()) return wrong;
    }
    return "";
  };
  return one;
}

/// The parameters as a learner writes them. All cases have arrays of the same types.
std::vector<lab::ExerciseParameter> parameters_of(const json& about) {
  std::vector<lab::ExerciseParameter> parameters;
  const json& first = about.at("cases").front();
  for (const json& parameter : about.at("parameters")) {
    const std::string name = parameter.at("name");
    const auto scalar = first.at("scalars").find(name);
    const std::string type =
        scalar == first.at("scalars").end()
            ? (parameter.at("role") == "in" ? "const " : "") + spelling_of(first.at("arrays").at(name).at("type")) + "*"
        : scalar->is_number_float() ? "float"
                                    : "int";
    parameters.push_back({type, name});
  }
  return parameters;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\r\n ");
  if (end == std::string::npos) return "it said nothing";
  const std::size_t before = text.find_last_of('\n', end);
  const std::size_t begin = before == std::string::npos ? 0 : before + 1;
  return text.substr(begin, end + 1 - begin);
}

}  // namespace

fs::path challenge_file(const std::string& name) {
  if (!fs::is_directory(name)) return name;
  for (const char* file_name : file_names) {
    if (fs::is_regular_file(fs::path(name) / file_name)) return fs::path(name) / file_name;
  }
  return fs::path(name) / file_names[0];
}

std::vector<fs::path> challenge_files(const std::string& name) {
  const fs::path file = challenge_file(name);
  std::vector<fs::path> files{file};
  if (!is_definition(name)) return files;
  const fs::path lines = fs::path(file).replace_extension(".jsonl"),
                 answers = fs::path(file).replace_extension(".answers");
  std::vector<fs::path> candidates{file.parent_path() / "workload.jsonl", lines};
  for (fs::path above = fs::absolute(file).parent_path(); above != above.root_path(); above = above.parent_path()) {
    if (above.filename() != "definitions") continue;
    candidates.push_back(above.parent_path() / "workloads" / fs::absolute(lines).lexically_relative(above));
    break;
  }
  std::error_code ignored;
  for (const fs::path& path : candidates) {
    if (fs::is_regular_file(path, ignored)) files.push_back(path);
  }
  for (const auto& entry : fs::recursive_directory_iterator(answers, ignored)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin() + 1, files.end());
  return files;
}

bool is_definition(const std::string& name) {
  const fs::path file = challenge_file(name);
  std::error_code ignored;
  if (file.extension() != ".json" || !fs::is_regular_file(file, ignored)) return false;
  const json document = json::parse(base::read_file(file).value_or(""), nullptr, false);
  return document.is_object() && document.contains("axes") && document.contains("outputs") &&
         document.contains("reference");
}

bool is_challenge(const std::string& name) {
  std::error_code ignored;
  const fs::path file = challenge_file(name);
  if (file.extension() == ".json") return is_definition(name);
  const bool is_called_so = std::any_of(std::begin(file_names), std::end(file_names),
                                        [&](const char* file_name) { return file.filename() == file_name; });
  return is_called_so && fs::is_regular_file(file, ignored);
}

void write_challenge(const std::string& name, const fs::path& folder) {
  const fs::path scripts = folder / "scripts";
  fs::create_directory(scripts);
  for (const ChallengeScript& script : challenge_scripts) base::write_file(scripts / script.name, script.text);
  const base::Outcome ended =
      base::run({"python3", "-B", (scripts / "cases.py").string(), challenge_file(name).string(), folder.string()});
  fs::remove_all(scripts);
  if (ended.succeeded()) return;
  const std::string why = last_line(ended.output);
  const bool is_refusal = why.starts_with("rafter: ");
  throw Error(
      is_refusal && why.find("needs PyTorch") != std::string::npos ? ErrorCode::unsupported : ErrorCode::bad_argument,
      is_refusal ? why.substr(8) : fmt::format("the Python code of {}: {}", challenge_file(name).string(), why));
}

Challenge read_challenge(const std::string& name, const fs::path& folder) {
  const json about = base::read_json(folder / "cases.json");
  std::vector<lab::ExerciseCase> cases;
  for (const json& one : about.at("cases"))
    cases.push_back(case_of(one, about, folder, static_cast<int>(cases.size())));
  const std::string title = about.at("name");
  return {.exercise = {.workload = name,
                       .kernel = about.at("function"),
                       .parameters = parameters_of(about),
                       .title = title,
                       .computes = title,
                       .promise = "",
                       .block = {1},
                       .grid = "its own",
                       .cases = [cases](const lab::CaseRequest&) { return cases; },
                       .kind = lab::ExerciseKind::host_function},
          .n_left_out = about.at("left_out"),
          .layout = about.at("layout")};
}

}  // namespace rafter::trial
