// A learner's file: which kernel is meant, and whether its parameters are the exercise's.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "lab/workload/exercise.hpp"
#include "simt/build/kernels.hpp"
#include "trial/message.hpp"

namespace rafter::trial {

struct LearnerSource {
  std::filesystem::path file;
  std::string text;
  std::vector<simt::build::Kernel> kernels;

  std::string line(int number) const;  ///< one line of the text, without its indentation
};

/// A parameter's type, from the compiler ("const f32*") or from the source ("const float* __restrict__").
struct ParameterType {
  std::string element{};  ///< f32, i64, ...; something else for what is no number
  bool is_pointer = false, is_const = false;

  bool is_float() const { return element.starts_with("f"); }
  bool is_integer() const { return element.starts_with("i") || element.starts_with("u"); }
  int bits() const;
};
ParameterType parameter_type(std::string text);

/// Throws Error (io) when there is no such file, or it cannot be read.
LearnerSource read_source(const std::string& file);

/// The kernel of that name (without template arguments), or nothing.
const simt::build::Kernel* kernel_called(const LearnerSource& source, const std::string& name);

/// What to say when it is not there: near names and the kernels there are.
TryMessage missing_kernel(const LearnerSource& source, const std::string& name);

/// Holds the parameters against the exercise's. `types` are theirs as the compiler sees them ("const f32*", "i64"),
/// or empty before anything was compiled: then only their number and names count.
std::optional<TryMessage> signature_mismatch(const LearnerSource& source, const simt::build::Kernel& kernel,
                                             const lab::Exercise& exercise, const std::vector<std::string>& types);

/// A launch in the file's own host code that no GPU accepts: more than 1024 threads in a block.
std::optional<TryMessage> oversized_launch(const LearnerSource& source, const std::string& kernel);

}  // namespace rafter::trial
