#include "workbench/trial/exercises.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/csv.hpp"
#include "base/messages.hpp"
#include "rafter/error.hpp"
#include "workbench/lab/data/generate.hpp"
#include "workbench/trial/challenge/challenge.hpp"
#include "workbench/trial/message.hpp"

namespace rafter::trial {

namespace {

/// Breaks a signature after commas into lines of up to `width` columns.
std::string folded(const std::string& text, std::size_t width, const std::string& indent) {
  std::string result, line;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(", ", at), text.size() - 2) + 2;
    const std::string part = text.substr(at, end - at);
    if (!line.empty() && line.size() + part.size() > width) {
      result += line.substr(0, line.size() - 1) + "\n" + indent;
      line.clear();
    }
    line += part;
    at = end;
  }
  return result + line;
}

}  // namespace

std::vector<lab::Exercise> exercises_called(const std::vector<lab::Exercise>& all, const std::string& name) {
  std::vector<lab::Exercise> found;
  std::vector<std::string> known;
  const bool is_kernel = std::any_of(all.begin(), all.end(), [&](const auto& e) { return e.kernel == name; });
  for (const lab::Exercise& exercise : all) {
    if (is_kernel ? exercise.kernel == name : exercise.workload == name) found.push_back(exercise);
    known.push_back(exercise.kernel);
    if (std::find(known.begin(), known.end(), exercise.workload) == known.end()) known.push_back(exercise.workload);
  }
  if (found.empty() && name.find('/') != std::string::npos)
    throw Error(ErrorCode::bad_argument,
                fmt::format("there is no exercise {0}: expected a file NAME.json, or a folder with course.json or "
                            "challenge.py",
                            name));
  if (found.empty()) throw Error(ErrorCode::bad_argument, base::unknown_name("exercise", name, known));
  return found;
}

std::vector<lab::Exercise> narrowed(std::vector<lab::Exercise> exercises, const std::string& name,
                                    const std::string& kernel, const LearnerSource* source) {
  if (exercises.size() == 1) return exercises;
  std::string names;
  for (const lab::Exercise& exercise : exercises) names += (names.empty() ? "" : " or ") + exercise.kernel;
  std::vector<lab::Exercise> meant;
  for (const lab::Exercise& exercise : exercises) {
    const bool is_in_file = kernel.empty() && source != nullptr && has_solution(*source, exercise);
    if (exercise.kernel == kernel || is_in_file) meant.push_back(exercise);
  }
  if (!meant.empty()) return meant;
  throw Error(ErrorCode::bad_argument,
              fmt::format("{} has several exercises; choose one: rafter try {} ...{}", name, names,
                          source != nullptr && kernel.empty()
                              ? fmt::format("\n        {} has no kernel of one of these names", source->file.string())
                              : ""));
}

std::uint64_t fresh_case_seed() { return lab::fresh_seed() % 1000000; }

std::string exercise_list(const std::vector<lab::Exercise>& all) {
  std::string text = fmt::format("{:<10} {:<23} {}\n", "about", "kernel", "what it computes");
  std::string last;
  for (const lab::Exercise& exercise : all) {
    text += fmt::format("{:<10} {:<23} {}\n", exercise.workload == last ? "" : exercise.workload, exercise.kernel,
                        exercise.title);
    last = exercise.workload;
  }
  return text +
         "\nrafter try KERNEL --starter           prints a starter file: parameters, launch, task"
         "\nrafter try KERNEL --starter > my.cu   saves it;   rafter try KERNEL my.cu   checks your kernel\n";
}

std::string exercise_list_csv(const std::vector<lab::Exercise>& all) {
  std::string text = base::csv_line({"workload", "kernel", "title", "signature", "block", "grid"});
  for (const lab::Exercise& exercise : all)
    text += base::csv_line({exercise.workload, exercise.kernel, exercise.title, exercise.signature(),
                            exercise.block.text(), exercise.grid});
  return text;
}

std::string exercise_list_json(const std::vector<lab::Exercise>& all) {
  auto list = nlohmann::json::array();
  for (const lab::Exercise& exercise : all) {
    list.push_back({{"workload", exercise.workload},
                    {"kernel", exercise.kernel},
                    {"signature", exercise.signature()},
                    {"title", exercise.title},
                    {"computes", exercise.computes},
                    {"promise", exercise.promise},
                    {"block", {exercise.block.x, exercise.block.y, exercise.block.z}},
                    {"grid", exercise.grid}});
  }
  return list.dump(2) + "\n";
}

std::string starter(const lab::Exercise& exercise) {
  const bool is_host = exercise.kind == lab::ExerciseKind::host_function, one = exercise.grid == "one block";
  const bool has_halves = exercise.signature().find("__half") != std::string::npos;
  const auto comment = [](const std::string& words) { return base::wrapped(words, "// ", "// "); };
  const std::string launch =
      is_host ? "It is called once, on the host, and launches kernels of this file."
              : fmt::format("It is launched with {} of {} threads{}.", one ? exercise.grid : exercise.grid + ",",
                            exercise.block.text(), one ? "" : " each");
  return comment(fmt::format("{}: {}.", exercise.kernel, exercise.computes)) + comment(exercise.promise) +
         comment(launch) +
         fmt::format(
             "//\n//   rafter try {} THIS_FILE.cu\n{}#include <cstdint>\n#include <cstdio>\n\n"
             "{}void {} {{\n  // TODO: write the {}.\n}}\n",
             is_challenge(exercise.workload) || !exercise.file.empty() ? exercise.workload : exercise.kernel,
             has_halves ? "#include <cuda_fp16.h>\n\n" : "", is_host ? "" : "__global__ ",
             folded(exercise.signature(), 100, "    "), is_host ? "function, and its kernel above" : "kernel");
}

bool has_solution(const LearnerSource& source, const lab::Exercise& exercise) {
  if (exercise.kind == lab::ExerciseKind::kernel) return kernel_called(source, exercise.kernel) != nullptr;
  return host_function_called(source, exercise.kernel).has_value();
}

lab::Extents block_of(const std::string& text, const lab::Exercise& exercise) {
  if (text.empty()) return exercise.block;
  if (exercise.kind == lab::ExerciseKind::host_function)
    throw Error(ErrorCode::bad_argument,
                fmt::format("{} launches its own kernels and takes no --block", exercise.kernel));
  std::int64_t extents[3] = {1, 1, 1};
  const char* at = text.c_str();
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    extents[i] = std::strtol(at, &end, 10);
    if (end == at || extents[i] < 1 || (*end != '\0' && (*end != ',' || i == 2)))
      throw Error(ErrorCode::bad_argument, fmt::format("--block takes X or X,Y, all at least 1; got '{}'", text));
    if (*end == '\0') break;
    at = end + 1;
  }
  const lab::Extents block{extents[0], extents[1], extents[2]};
  if (block.x > most_threads || block.y > most_threads || block.z > 64 || block.count() > most_threads) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("--block {}: {} threads per block, but a block has at most {}: the GPU would reject the "
                            "launch; use fewer threads, the grid then has more blocks",
                            text, block.count(), most_threads));
  }
  return block;
}

}  // namespace rafter::trial
