#include "workbench/family/load.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <exception>
#include <memory>

#include "rafter/error.hpp"
#include "workbench/family/abi.hpp"

extern "C" constexpr char RAFTER_FAMILY_ABI = 0;

namespace rafter::family {

namespace fs = std::filesystem;

namespace {

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return name ? name.get() : symbol;
}

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw Error(ErrorCode::bad_argument, "'" + path.string() + "' " + why);
}

/// Explains an error of the dynamic linker.
[[noreturn]] void refuse_object(const fs::path& path, const std::string& error) {
  constexpr std::string_view undefined = "undefined symbol: ";
  const auto at = error.find(undefined);
  if (at == std::string::npos) refuse(path, "cannot be loaded: " + error);
  const auto from = at + undefined.size();
  const std::string symbol = error.substr(from, error.find_first_of(" ,", from) - from);
  if (symbol.starts_with("rafter_family_abi_"))
    refuse(path, "was built with another version of rafter; --load with its folder builds it again");
  refuse(path, "needs " + demangled(symbol) + ", which neither it nor rafter defines: is a rung in the ladder's " +
                   "list without a file, or misspelt?");
}

/// Describes the current exception.
std::string thrown() {
  try {
    throw;
  } catch (const std::exception& error) {
    return std::string("threw an exception while it was loaded: ") + error.what();
  } catch (...) {
    return "threw an exception while it was loaded that is not a std::exception";
  }
}

/// Installs a terminate handler during its lifetime. The dynamic linker does not propagate exceptions, so an exception
/// in a constructor of a global variable terminates the program; the handler prints a sentence first.
class ScopedTerminateHandler {
 public:
  explicit ScopedTerminateHandler(const fs::path& path) {
    name_ = path.c_str();
    before_ = std::set_terminate([] {
      std::fprintf(stderr, "rafter: '%s' %s\n", name_,
                   std::current_exception() ? thrown().c_str() : "ended the program while it was loaded");
      std::_Exit(2);
    });
  }
  ~ScopedTerminateHandler() { std::set_terminate(before_); }
  ScopedTerminateHandler(const ScopedTerminateHandler&) = delete;
  ScopedTerminateHandler& operator=(const ScopedTerminateHandler&) = delete;

 private:
  inline static const char* name_ = nullptr;
  std::terminate_handler before_;
};

/// Opens a shared object; `path` is the name that the user gave, for messages.
lab::Loadable open(const fs::path& object, const fs::path& path) {
  const ScopedTerminateHandler terminating(path);
  void* handle = dlopen(fs::absolute(object).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) refuse_object(path, dlerror());
  const auto entry = reinterpret_cast<void (*)(lab::Loadable&)>(dlsym(handle, "rafter_loadable"));
  if (entry == nullptr) refuse(path, "is a shared object without workloads; rafter_add_workload() creates those");
  lab::Loadable here;
  try {
    entry(here);
  } catch (...) {
    refuse(path, thrown());
  }
  return here;
}

/// Returns a copy, valid until the program ends, whose rungs on a GPU count as a user's: Rafter has not seen where
/// their values come from.
const lab::Workload* as_theirs(const lab::Workload& workload) {
  static std::deque<lab::Workload>& kept = *new std::deque<lab::Workload>;
  lab::Workload& theirs = kept.emplace_back(workload);
  for (lab::Rung& rung : theirs.rungs) {
    if (rung.device == Device::cuda) rung.trust = lab::Trust::unproved;
  }
  return &theirs;
}

void add(Loaded& all, const lab::Loadable& some, const fs::path& path) {
  for (const lab::Workload* workload : some.workloads) {
    if (const auto lack = missing_part(*workload))
      refuse(path, "has a workload '" + workload->name + "', but its contract " + *lack);
    for (const lab::Workload* other : all.workloads) {
      if (other->name == workload->name)
        refuse(path, "has a workload '" + workload->name + "', and so does another loaded object");
    }
    all.workloads.push_back(as_theirs(*workload));
  }
  all.sources.insert(all.sources.end(), some.sources.begin(), some.sources.end());
}

}  // namespace

std::optional<std::string> missing_part(const lab::Workload& workload) {
  if (workload.name.empty()) return "has no name";
  if (workload.rungs.empty()) return "has no rungs";
  if (!workload.standard_cases) return "has no standard_cases";
  if (!workload.awkward_cases) return "has no awkward_cases";
  if (!workload.make_case) return "has no make_case";
  if (!workload.bytes_per_input_set) return "has no bytes_per_input_set";
  for (const lab::Rung& rung : workload.rungs) {
    const auto is_same = [&](const lab::Rung& other) { return other.name == rung.name && other.device == rung.device; };
    if (std::count_if(workload.rungs.begin(), workload.rungs.end(), is_same) > 1)
      return "has two rungs '" + rung.name + "' for " + std::string(name(rung.device));
  }
  for (const lab::Parameter& parameter : workload.parameters) {
    const bool is_word = std::holds_alternative<std::string>(parameter.standard);
    if (is_word && parameter.choices.empty())
      return "has a parameter '" + parameter.name + "' of words without choices";
  }
  return std::nullopt;
}

Loaded load(const std::vector<std::string>& paths, Flavour flavour,
            const std::function<void(const std::string&)>& say) {
  Loaded all;
  for (const std::string& given : paths) {
    const fs::path path = given;
    if (!fs::exists(path)) throw Error(ErrorCode::io, "there is no folder '" + path.string() + "' to load");
    if (!fs::is_directory(path) && !fs::is_regular_file(path)) refuse(path, "is neither a folder nor a shared object");
    const std::vector<fs::path> objects =
        fs::is_directory(path) ? build_folder(path, flavour, say) : std::vector<fs::path>{path};
    for (const fs::path& object : objects) add(all, open(object, path), path);
  }
  return all;
}

}  // namespace rafter::family
