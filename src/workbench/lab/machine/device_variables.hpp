// The variables of device code in a file that nvcc compiled.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rafter::lab {

struct DeviceVariable {
  std::string symbol;  ///< mangled
  std::string name;    ///< demangled: "hidden::steps"
};

/// Returns the variables in global and constant memory of all cubins in a file, sorted by symbol. The cubins must not
/// be compressed (nvcc -no-compress). Throws Error (io) if a cubin is damaged.
std::vector<DeviceVariable> device_variables(const std::filesystem::path& file);

}  // namespace rafter::lab
