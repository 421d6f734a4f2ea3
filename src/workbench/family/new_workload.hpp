// A folder with a workload to begin from: a contract, two rungs for each device, a planted fault, a README.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::family {

/// One file of the folder: template/, whose workload is called workload_name.
struct TemplateFile {
  std::string_view path;  ///< below the folder
  std::string_view text;
};
std::vector<TemplateFile> workload_template();

/// Throws Error (bad_argument) unless it can be part of names in C++: small letters, digits and single underscores,
/// from a letter on.
void require_workload_name(std::string_view name);

/// Writes the folder, which must not be there yet, for a workload of that name; `package` is where find_package(rafter)
/// finds this Rafter. It is whole or not there. Throws Error (bad_argument, io).
void write_workload(const std::filesystem::path& folder, std::string_view name, const std::filesystem::path& package);

}  // namespace rafter::family
