// rafter solve heat, and the fields that it leaves.
#pragma once

#include <vector>

#include "apps/solve/hdf5_field.hpp"
#include "apps/solve/npy.hpp"
#include "base/pattern.hpp"
#include "cli.hpp"

namespace rafter {

class Solve : public cli::Cli {
 protected:
  using Outcome = cli::Outcome;
  Outcome heat(const std::string& arguments) const { return rafter("solve heat --device cpu " + arguments); }
  std::string command(const std::string& arguments) const {
    return std::string(RAFTER_TOOL_PATH) + " solve heat --device cpu " + arguments;
  }
  std::string format() const { return solve::why_no_hdf5() ? "npy" : "hdf5"; }
  std::string field(const std::string& folder, const char* step) const {
    return file(folder + "/heat_" + step + (format() == "npy" ? ".npy" : ".h5"));
  }
  static std::string values_of(const std::filesystem::path& path) {
    const solve::Field field = path.extension() == ".npy" ? solve::read_npy(path) : solve::read_hdf5(path, "");
    return std::visit(
        [](const auto& values) {
          return std::string(reinterpret_cast<const char*>(values.data()), std::as_bytes(std::span(values)).size());
        },
        field.values);
  }
  /// Every field is whole and every one that the index names is there; how many the folder has.
  static int n_whole_fields(const std::filesystem::path& folder) {
    int n = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".h5" && ending != ".npy") continue;
      EXPECT_FALSE(values_of(entry.path()).empty());
      ++n;
    }
    const std::string index = text_of(folder / "heat.xdmf");
    EXPECT_TRUE(index.empty() || index.ends_with("</Xdmf>\n")) << index;
    const base::Pattern name("heat_[0-9]+[.][a-z0-9]+");
    for (const base::Pattern::Match& match : name.find_all(index))
      EXPECT_TRUE(std::filesystem::exists(folder / match.at(0))) << match.at(0);
    return n;
  }
};

}  // namespace rafter
