#include "cli/load/loaded.hpp"

#include "base/terminal.hpp"
#include "cli/load/crash.hpp"

namespace rafter::cli {

family::Loaded loaded(const std::vector<std::string>& folders, family::Flavour flavour) {
  base::ProgressLine progress;
  if (flavour == family::Flavour::machine) explain_crashes(folders);  // the executor does it itself
  return family::load(folders, flavour, [&](const std::string& what) { progress.show(what, std::nullopt); });
}

family::Loaded loaded(const RunOptions& options) {
  return loaded(options.load, options.device == "simt" ? family::Flavour::executor : family::Flavour::machine);
}

}  // namespace rafter::cli
