#include "trial/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "simt/report/findings_text.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

struct Advice {
  const char* kind;
  const char* space;  ///< "" is any
  const char* what_to_do;
};

constexpr const char* barrier_advice =
    "All threads of a block must reach each __syncthreads(): no if around it, no return before it.";

// In the order in which a learner should mend them: what stands first often causes what follows.
constexpr Advice all_advice[] = {
    {"unsupported", "", "Without it, the executor can try the kernel; a GPU may run it as it is."},
    {"assert", "", "An assert of your own failed: look at its condition."},
    {"trap", "", "The kernel called __trap: look at what led there."},
    {"out_of_bounds", "shared", "Make the shared array larger, or keep the index below its size."},
    {"out_of_bounds", "", "Keep the index within the array: guard the access, as in if (i < size)."},
    {"misaligned", "", "A float4 lies at a multiple of 16 bytes, a double at 8: check the pointer's offset."},
    {"use_after_free", "", "Free memory after its last use."},
    {"write_to_constant", "", "Constant memory is read-only in a kernel."},
    {"kernel_touches_host", "", "A kernel can reach device memory only: pass what it needs as an argument."},
    {"divergent_barrier", "", barrier_advice},
    {"exited_before_barrier", "", barrier_advice},
    {"deadlock", "", barrier_advice},
    {"no_progress", "", "Look at the condition that ends this loop: nothing in it makes it false."},
    {"race", "shared", "One thread uses what another writes: put a __syncthreads() between, in a loop every round."},
    {"race", "", "Several threads use one place and one writes: add with atomicAdd, or give each its own."},
    {"same_value_race", "shared", "Let one thread write it, or put a __syncthreads() between."},
    {"same_value_race", "", "Several threads write one place: let one of them do it."},
    {"bad_mask", "", "The mask must name exactly the lanes that call; 0xffffffff means all 32."},
    {"bad_source_lane", "", "Shuffle only from lanes that take part: keep all 32 alive, with 0 as their value."},
    {"uninitialised", "shared", "Write each element before it is read, 0 beyond the end; then __syncthreads()."},
    {"uninitialised", "", "Nobody wrote this memory before: write it first, with = and not with +=."},
};

/// The place of a finding in the list above.
std::size_t rank(const json& finding) {
  const std::string kind = finding["kind"], space = finding.value("space", "");
  const auto fits = [&](const Advice& advice) {
    return kind == advice.kind && (*advice.space == '\0' || space == advice.space);
  };
  return static_cast<std::size_t>(std::find_if(std::begin(all_advice), std::end(all_advice), fits) - all_advice);
}

/// Behind four spaces; sentences are broken, lines of source are left as they are.
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

/// "FILE:LINE: ..." with the file as the user calls it, and the line of the source below.
std::string with_source(std::string line, const std::string& file) {
  const std::string full = std::filesystem::absolute(file).string();
  if (const std::size_t at = line.find(full); at != std::string::npos) line.replace(at, full.size(), file);
  if (!line.starts_with(file + ":")) return line;
  const int number = std::atoi(line.c_str() + file.size() + 1);
  std::ifstream source(file);
  std::string words;
  for (int i = 0; i < number; ++i) std::getline(source, words);
  const std::size_t first = std::min(words.find_first_not_of(" \t"), words.size());
  return fmt::format("{}\n{:>11} | {}", line, number, words.substr(first));
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

TryMessage message_of_findings(const json& report) {
  std::vector<json> findings = report["findings"];
  std::stable_sort(findings.begin(), findings.end(), [](const json& a, const json& b) { return rank(a) < rank(b); });
  const json& first = findings.front();
  std::string words = simt::report::findings_text({{"findings", {first}}});
  while (words.ends_with('\n')) words.pop_back();
  const std::size_t end = std::min(words.find('\n'), words.size());
  TryMessage message{first["kind"], words.substr(0, end),
                     without_indent(words.substr(std::min(end + 1, words.size())), 4)};
  // There is one kernel; its name says nothing.
  const std::string kernel = ", kernel " + first["kernel"].get<std::string>();
  if (const std::size_t at = message.title.find(kernel); at != std::string::npos)
    message.title.erase(at, kernel.size());
  if (findings.size() > 1) message.detail += fmt::format("\nand {} more, perhaps because of this", findings.size() - 1);
  if (rank(first) < std::size(all_advice)) message.what_to_do = all_advice[rank(first)].what_to_do;
  if (words.find("a null pointer") != std::string::npos)
    message.what_to_do = "The pointer is null: use the memory that the kernel's arguments point to.";
  return message;
}

TryMessage message_of_build(const Error& error, const std::string& file) {
  std::istringstream lines(error.what());
  std::string head, detail, all;
  std::getline(lines, head);
  int n_errors = 0;
  for (std::string line; std::getline(lines, line);) {
    all += line + "\n";
    const bool is_error = line.find(" error: ") != std::string::npos;
    const bool is_refusal = error.code() == ErrorCode::unsupported;
    if (is_refusal || (is_error && n_errors == 0)) detail += with_source(line, file) + "\n";
    n_errors += is_error ? 1 : 0;
  }
  if (error.code() == ErrorCode::unsupported)
    return {"unsupported", head, detail, "Without it, the executor can try the kernel; a GPU may run it as it is."};
  if (detail.empty()) detail = all;
  if (n_errors > 1) detail += fmt::format("and {} more error{}\n", n_errors - 1, n_errors == 2 ? "" : "s");
  return {"compile", "it does not compile", detail, "Mend the first error; others often follow from it."};
}

}  // namespace rafter::trial
