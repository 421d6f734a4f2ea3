// Compiles CUDA source to a cubin: with NVRTC if possible, with nvcc if the file needs a host compiler.
#pragma once

#include <filesystem>
#include <string>

#include "workbench/trial/source.hpp"

namespace rafter::trial {

struct Cubin {
  std::string bytes{};
  std::string by{};  ///< "NVRTC" or "nvcc"
};

/// Compiles for a compute capability (90 is 9.0). Throws Error (bad_argument) with the compiler's output, or
/// (unsupported) if neither compiler is installed.
Cubin compile_cubin(const LearnerSource& source, const std::string& kernel, int capability,
                    const std::filesystem::path& scratch);

}  // namespace rafter::trial
