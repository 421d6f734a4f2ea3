// For programs that try to write the results of the check themselves.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

inline std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns the arguments of this process: its name, and "run PLAN ARRAYS" when it runs a case.
inline std::vector<std::string> arguments() {
  std::vector<std::string> words(1);
  for (const char letter : text_of("/proc/self/cmdline")) {
    if (letter == '\0')
      words.emplace_back();
    else
      words.back() += letter;
  }
  words.pop_back();
  return words;
}

/// Writes the right answer of the exercise `zero`, and a report without findings.
inline void write_results() {
  const std::vector<std::string> words = arguments();
  if (words.size() != 4) return;
  const std::string plan = text_of(words[2]);
  const std::size_t header = 65, before_values = header + 28 + 44;  // a signature; extents; the array's description
  std::uint32_t n_threads = 0;
  std::memcpy(&n_threads, plan.data() + header + 12, sizeof n_threads);
  std::string values = plan.substr(before_values);
  std::memset(values.data(), 0, n_threads * sizeof(float));
  const std::string folder = words[3].substr(0, words[3].rfind('/'));
  std::ofstream(words[3], std::ios::binary) << values;
  std::ofstream(folder + "/report.json")
      << R"({"mode": "check", "findings": [], "notes": [], "ended": true, "kernels": [{"name": "zero", "launches": 1}]})";
}
