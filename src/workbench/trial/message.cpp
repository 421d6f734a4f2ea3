#include "workbench/trial/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "executor/report/findings_text.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

struct Advice {
  const char* kind;
  const char* space;  ///< "" matches all
  const char* what_to_do;
  const char* words = "";  ///< required in the finding's text
};

constexpr const char* barrier_advice =
    "All threads of a block must reach each __syncthreads(): no if around it, no return before it.";

// Sorted by the order in which to fix them: earlier errors often cause later ones.
constexpr Advice all_advice[] = {
    {"unsupported", "", "Remove it to run the kernel on the executor; a GPU may run the kernel as it is."},
    {"assert", "", "An assert in your code failed: check its condition."},
    {"trap", "", "The kernel called __trap: check the condition that led to it."},
    {"out_of_bounds", "", "The recursion is too deep, or a local array is too large: use a loop.",
     "local memory overflowed"},
    {"out_of_bounds", "shared",
     "This launch has no dynamic shared memory: give the array a size, as in __shared__ float tile[1024];",
     "in dynamic shared memory"},
    {"out_of_bounds", "shared", "Make the shared array larger, or keep the index below its size."},
    {"out_of_bounds", "", "Keep the index within the array: guard the access, as in if (i < size)."},
    {"misaligned", "", "A float4 must be aligned to 16 bytes, a double to 8: check the pointer's offset."},
    {"use_after_free", "", "Free memory after its last use."},
    {"double_free", "", "Free each allocation once."},
    {"host_touches_device", "", "Host code cannot read or write device memory: launch a kernel, or use cudaMemcpy."},
    {"write_to_constant", "", "Constant memory is read-only in a kernel."},
    {"kernel_touches_host", "", "A kernel can access device memory only: pass the data as an argument."},
    {"divergent_barrier", "", barrier_advice},
    {"exited_before_barrier", "", barrier_advice},
    {"deadlock", "", barrier_advice},
    {"no_progress", "", "Check the condition of this loop: nothing makes it false."},
    {"race", "shared",
     "One thread accesses what another writes: put a __syncthreads() between, in loops in every iteration."},
    {"race", "", "Several threads access one element, and one writes: give each its own, or let one thread do it."},
    {"same_value_race", "shared", "Let one thread write it, or put a __syncthreads() between the writes."},
    {"same_value_race", "", "Several threads write one element: give each its own, or let one thread do it."},
    {"unset_local", "", "Give it a value where it is declared, as in float sum = 0;"},
    {"leak", "", "Every cudaMalloc needs its cudaFree, after the last launch that uses the memory."},
    {"bad_mask", "", "The mask must name exactly the lanes that call; 0xffffffff means all 32."},
    {"bad_source_lane", "", "Shuffle only from participating lanes: keep all 32 active, with 0 as their value."},
    {"uninitialised", "shared", "Write each element before it is read, 0 beyond the end; then __syncthreads()."},
    {"uninitialised", "", "This memory is uninitialised: write it first, with = and not with +=."},
};

/// Returns the index of the advice for a finding in the list above.
std::size_t rank(const json& finding, const std::string& words) {
  const std::string kind = finding["kind"], space = finding.value("space", "");
  const auto fits = [&](const Advice& advice) {
    return kind == advice.kind && (*advice.space == '\0' || space == advice.space) &&
           words.find(advice.words) != std::string::npos;
  };
  return static_cast<std::size_t>(std::find_if(std::begin(all_advice), std::end(all_advice), fits) - all_advice);
}
std::size_t rank(const json& finding) { return rank(finding, simt::report::findings_text({{"findings", {finding}}})); }

/// Indents by four spaces. Breaks long sentences, but not lines of source.
std::string detail_lines(const std::string& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const bool is_sentence = line.size() > 96 && line.find(" | ") == std::string::npos;
    result += is_sentence ? base::wrapped(line, "    ", "      ") : line.empty() ? "\n" : "    " + line + "\n";
  }
  return result;
}

std::string without_indent(std::string text, std::size_t n) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = std::min(line.find_first_not_of(' '), n);
    result += (result.empty() ? "" : "\n") + line.substr(std::min(first, line.size()));
  }
  return result;
}

}  // namespace

std::string indented(const std::string& words) {
  std::istringstream lines(words);
  std::string result;
  for (std::string line; std::getline(lines, line);) result += line.empty() ? "\n" : "  " + line + "\n";
  return result;
}

std::string text(const TryMessage& message) {
  std::string result;
  if (!message.with.empty()) result += fmt::format("  WRONG with {}\n", message.with);
  const std::string indent = message.with.empty() ? "  " : "    ";
  result += base::wrapped(message.title, indent, indent) + detail_lines(message.detail);
  if (!message.what_to_do.empty()) result += base::wrapped(message.what_to_do, "  -> ", "     ");
  return result;
}

json to_json(const TryMessage& message) {
  return {
      {"kind", message.kind}, {"title", message.title}, {"detail", message.detail}, {"what_to_do", message.what_to_do}};
}

TryMessage message_of_findings(const json& report, const RaceContext& context) {
  std::vector<json> findings = report["findings"];
  std::stable_sort(findings.begin(), findings.end(), [](const json& a, const json& b) { return rank(a) < rank(b); });
  const json& first = findings.front();
  std::string words = simt::report::findings_text({{"findings", {first}}});
  while (words.ends_with('\n')) words.pop_back();
  const std::size_t end = std::min(words.find('\n'), words.size());
  TryMessage message{first["kind"], words.substr(0, end),
                     without_indent(words.substr(std::min(end + 1, words.size())), 4)};
  // There is only one kernel, so its name is omitted.
  const std::string kernel = ", kernel " + first["kernel"].get<std::string>();
  if (const std::size_t at = message.title.find(kernel); at != std::string::npos)
    message.title.erase(at, kernel.size());
  if (findings.size() > 1) message.detail += fmt::format("\nand {} more, possibly caused by this", findings.size() - 1);
  if (const std::size_t at = rank(first); at < std::size(all_advice)) message.what_to_do = all_advice[at].what_to_do;
  if (const std::string advice = race_advice(first, context); !advice.empty()) message.what_to_do = advice;
  if (words.find("a null pointer") != std::string::npos)
    message.what_to_do = "The pointer is null: use the memory that the kernel's arguments point to.";
  return message;
}

}  // namespace rafter::trial
