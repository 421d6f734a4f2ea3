// The CUDA toolkit of this machine, as programs of ours start it.
#pragma once

#include <filesystem>
#include <string>

namespace rafter::base {

/// A program of the toolkit, "nvcc" or "cuobjdump": on the PATH, or beside the nvcc that built us, or where toolkits
/// are installed; empty where there is none.
std::filesystem::path find_cuda_program(const std::string& name);

/// The first error of nvcc, NVRTC or ptxas in what they printed, with the lines that belong to it; all of it where none
/// is found.
std::string first_compiler_error(const std::string& output);

}  // namespace rafter::base
