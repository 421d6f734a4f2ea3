// The programs of the machine's CUDA toolkit.
#pragma once

#include <filesystem>
#include <string>

namespace rafter::base {

/// Returns the path of a program of the toolkit, such as "nvcc" or "cuobjdump": from the PATH, next to the nvcc of this
/// build, or in the usual installation folders. Empty if not found.
std::filesystem::path find_cuda_program(const std::string& name);

/// Returns the first error in the output of nvcc, NVRTC or ptxas, with its continuation lines; the whole output if
/// there is none.
std::string first_compiler_error(const std::string& output);

}  // namespace rafter::base
