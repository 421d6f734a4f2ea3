// The variables of a CUDA module: their initial values, which are restored so that a launch finds nothing of earlier
// ones.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "rafter/stream.hpp"

namespace rafter::lab {

class ModuleState {
 public:
  /// Copies the variables that the module of a kernel has now. `file` is the shared object with the module's cubin,
  /// `kernel` a CUfunction. Throws Error (device_failure, out_of_memory, unsupported).
  ModuleState(const std::filesystem::path& file, void* kernel);
  ~ModuleState();
  ModuleState(const ModuleState&) = delete;
  ModuleState& operator=(const ModuleState&) = delete;

  /// The variables of this name, with or without its namespaces, are not restored. Returns the names of all variables
  /// if there is none.
  std::vector<std::string> keep(const std::string& name);

  /// Enqueues copies that restore the variables.
  void restore(const Stream& stream) const;

 private:
  struct Variable;
  std::vector<Variable> variables_;
};

}  // namespace rafter::lab
