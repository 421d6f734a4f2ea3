// A user's source file and the selection of a kernel in it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "executor/build/rewrite/kernels.hpp"
#include "workbench/trial/message.hpp"

namespace rafter::trial {

struct LearnerSource {
  std::filesystem::path file;
  std::string text;
  std::vector<simt::build::Kernel> kernels;

  std::string line(int number) const;  ///< one line of the text, without its indentation
};

/// Reads the file; throws Error (io) if it does not exist or cannot be read.
LearnerSource read_source(const std::string& file);

/// Returns the kernel of this name (without template arguments), or null.
const simt::build::Kernel* kernel_called(const LearnerSource& source, const std::string& name);

/// Returns the host function of this name, or nullopt.
std::optional<simt::build::Kernel> host_function_called(const LearnerSource& source, const std::string& name);

/// Returns the message for a missing host function.
TryMessage missing_function(const LearnerSource& source, const std::string& name);

/// Returns the message for a missing kernel, with similar names and the kernels of the file.
TryMessage missing_kernel(const LearnerSource& source, const std::string& name);

/// Returns a note if a kernel calls a host function that is constexpr, such as std::max, which nvcc accepts only with
/// an option.
std::optional<TryMessage> relaxed_constexpr(const LearnerSource& source);

/// Returns a message for a launch in the file's host code that no GPU accepts: more than 1024 threads per block.
std::optional<TryMessage> oversized_launch(const LearnerSource& source, const std::string& kernel);

}  // namespace rafter::trial
