// Creates a folder with a new workload: a contract, two rungs per device, a planted fault, a README.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rafter::family {

/// The folder of rafter-config.cmake: of the installed package, or of the build that this program is part of.
std::filesystem::path package_folder();

/// One file of template/, where the workload is named workload_name.
struct TemplateFile {
  std::string_view path;  ///< relative to the folder
  std::string_view text;
};
std::vector<TemplateFile> workload_template();

/// Throws Error (bad_argument) unless the name can be part of C++ identifiers: lower-case letters, digits and single
/// underscores, beginning with a letter.
void require_workload_name(std::string_view name);

/// Creates the folder, which must not exist, for a workload of this name; `package` is the folder where
/// find_package(rafter) finds this Rafter. The folder is created completely or not at all. Throws Error (bad_argument,
/// io).
void write_workload(const std::filesystem::path& folder, std::string_view name, const std::filesystem::path& package);

}  // namespace rafter::family
