#include "base/cuda_toolkit.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>

#ifndef RAFTER_CUDA_PROGRAMS
#define RAFTER_CUDA_PROGRAMS ""  // the folder of the nvcc of this build, if any
#endif

namespace rafter::base {

namespace fs = std::filesystem;

fs::path find_cuda_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "") + ":" RAFTER_CUDA_PROGRAMS
                                                                        ":/usr/local/cuda/bin:/opt/cuda/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    fs::path candidate = fs::path(folder) / name;
    if (!folder.empty() && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return {};
}

std::string first_compiler_error(const std::string& output) {
  std::istringstream lines(output);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    if (!text.empty() && (line.empty() || line.find("error") != std::string::npos)) break;
    if (!text.empty() || line.find("error") != std::string::npos) text += line + "\n";
  }
  return text.empty() ? output : text;
}

}  // namespace rafter::base
