// Runs the tool as a user does, and captures its exit code, output and report.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "../workbench/lab/temporary_folder.hpp"

namespace rafter::simt::test {

namespace fs = std::filesystem;
using nlohmann::json;

inline const fs::path here = RAFTER_SIMT_TESTS;  ///< tests/executor

struct Outcome {
  int code = -1;    ///< 124: ended by the timeout
  std::string out;  ///< standard output
  std::string err;  ///< standard error

  std::string all() const { return "exit code " + std::to_string(code) + "\n" + out + err; }
  json report() const { return json::parse(out, nullptr, false); }
};

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

inline fs::path write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return path;
}

/// Returns the CUDA sources of a folder and its subfolders, sorted by path.
inline std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Creates the test program's cache, with the precompiled headers that all test programs share.
inline void make_cache() {
  const fs::path cache = RAFTER_TEST_CACHE, headers = cache.parent_path() / "headers";
  std::error_code exists_already;
  fs::create_directories(headers);
  fs::create_directories(cache / "rafter/simt");
  fs::create_directory_symlink(headers, cache / "rafter/simt/headers", exists_already);
}

/// Runs a shell command in a folder. It sees no GPU unless it resets CUDA_VISIBLE_DEVICES. The cache is in the build
/// folder; the user's cache is not touched.
inline Outcome shell(const fs::path& folder, const std::string& command) {
  const lab::TemporaryFolder scratch;
  const fs::path errors = scratch.path() / "stderr";
  make_cache();
  setenv("XDG_CACHE_HOME", RAFTER_TEST_CACHE, 1);
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  const std::string line = "cd '" + folder.string() + "' && { " + command + "; } 2>" + errors.string() + " </dev/null";
  Outcome outcome;
  std::FILE* pipe = popen(line.c_str(), "r");
  std::array<char, 4096> block;
  for (std::size_t n; (n = fread(block.data(), 1, block.size(), pipe)) > 0;) outcome.out.append(block.data(), n);
  const int status = pclose(pipe);
  outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.err = text_of(errors);
  return outcome;
}

/// Runs `rafter WORDS` in a folder. The timeout only guards against hangs.
inline Outcome rafter(const fs::path& folder, const std::string& words) {
  return shell(folder, "timeout -k 5 900 " RAFTER_TOOL_PATH " " + words);
}

/// Polls until `condition` holds and returns true; returns false after ten minutes, which only guards against hangs.
template <class Condition>
bool wait_until(Condition condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    usleep(10'000);
  }
  return condition();
}

/// A test with a temporary folder for its sources, in which the tool runs.
class ToolTest : public testing::Test {
 protected:
  void file(const std::string& name, const std::string& text) const { write(folder_.path() / name, text); }
  Outcome rafter(const std::string& words) const { return test::rafter(folder_.path(), words); }

  lab::TemporaryFolder folder_;
};

/// Returns the name of a parametrised test: FOLDER_FILE.
inline std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  return info.param.parent_path().filename().string() + "_" + info.param.stem().string();
}

}  // namespace rafter::simt::test
