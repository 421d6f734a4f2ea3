// CUDA source to a cubin: by NVRTC where it can, by nvcc where the file needs a host compiler.
#pragma once

#include <filesystem>
#include <string>

#include "workbench/trial/source.hpp"

namespace rafter::trial {

struct Cubin {
  std::string bytes{};
  std::string by{};  ///< "NVRTC" or "nvcc"
};

/// For a GPU of this compute capability (90 is 9.0). Throws Error (bad_argument) with the compiler's words, or
/// (unsupported) when neither compiler is there.
Cubin compile_cubin(const LearnerSource& source, const std::string& kernel, int capability,
                    const std::filesystem::path& scratch);

}  // namespace rafter::trial
