// A learner's file, and which kernel in it is meant.
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

/// Throws Error (io) when there is no such file, or it cannot be read.
LearnerSource read_source(const std::string& file);

/// The kernel of that name (without template arguments), or nothing.
const simt::build::Kernel* kernel_called(const LearnerSource& source, const std::string& name);

/// The host function of that name, or nothing.
std::optional<simt::build::Kernel> host_function_called(const LearnerSource& source, const std::string& name);

/// What to say when that is not there.
TryMessage missing_function(const LearnerSource& source, const std::string& name);

/// What to say when it is not there: near names and the kernels there are.
TryMessage missing_kernel(const LearnerSource& source, const std::string& name);

/// Where a kernel calls what is constexpr for the host, as std::max: nvcc takes that with an option only.
std::optional<TryMessage> relaxed_constexpr(const LearnerSource& source);

/// A launch in the file's own host code that no GPU accepts: more than 1024 threads in a block.
std::optional<TryMessage> oversized_launch(const LearnerSource& source, const std::string& kernel);

}  // namespace rafter::trial
