// The tool, called as a user would, in a folder that is gone afterwards.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace rafter::cli {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

class Cli : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("rafter-cli-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    setenv("XDG_RUNTIME_DIR", runtime().c_str(), 1);  // of other tests at the same time it knows nothing
    unsetenv("COLUMNS");                              // lines are as wide as in any pipe
  }
  void TearDown() override {
    fs::remove_all(folder_);
    fs::remove_all(runtime());
  }
  fs::path runtime() const { return folder_.string() + "-runtime"; }

  Outcome call(const std::string& program, const std::string& arguments) const {
    // Roofs are measured once for all tests, results stay in the test's own folder.
    const fs::path errors = folder_ / "stderr";
    const std::string command = "XDG_STATE_HOME=" + (folder_ / "state").string() + " " + program + " " + arguments +
                                " 2>" + errors.string() + " </dev/null";
    Outcome outcome;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> block;
    for (std::size_t n; (n = fread(block.data(), 1, block.size(), pipe)) > 0;) outcome.out.append(block.data(), n);
    outcome.code = WEXITSTATUS(pclose(pipe));
    outcome.err = text_of(errors);
    return outcome;
  }
  Outcome rafter(const std::string& arguments) const { return call(RAFTER_TOOL_PATH, arguments); }
  Outcome planted(const std::string& arguments) const { return call(RAFTER_PLANTED_PATH, arguments); }

  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
};

}  // namespace rafter::cli
