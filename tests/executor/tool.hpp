// The tool as a user runs it: its exit code, what it printed, and its report.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

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
  int code = -1;    ///< 124: it hung
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

/// CUDA sources in a folder, by name.
inline std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Makes a test's cache, with the precompiled headers of all of them.
inline void make_cache() {
  const fs::path cache = RAFTER_TEST_CACHE, headers = cache.parent_path() / "headers";
  std::error_code there;
  fs::create_directories(headers);
  fs::create_directories(cache / "rafter/simt");
  fs::create_directory_symlink(headers, cache / "rafter/simt/headers", there);
}

/// Runs a shell command in a folder, as on a machine without a GPU unless it says otherwise. Programs are kept with the
/// build: a person's own cache is left alone.
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

/// `rafter WORDS` in a folder; given up after two minutes.
inline Outcome rafter(const fs::path& folder, const std::string& words) {
  return shell(folder, "timeout -k 5 120 " RAFTER_TOOL_PATH " " + words);
}

/// A test with a folder of its own, in which sources are written and the tool runs.
class ToolTest : public testing::Test {
 protected:
  void file(const std::string& name, const std::string& text) const { write(folder_.path() / name, text); }
  Outcome rafter(const std::string& words) const { return test::rafter(folder_.path(), words); }

  lab::TemporaryFolder folder_;
};

/// The name of a parametrised test: the file's, with its folder.
inline std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  return info.param.parent_path().filename().string() + "_" + info.param.stem().string();
}

}  // namespace rafter::simt::test
