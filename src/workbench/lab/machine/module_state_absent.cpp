// A build without CUDA has no modules.
#include "rafter/error.hpp"
#include "workbench/lab/machine/module_state.hpp"

namespace rafter::lab {

struct ModuleState::Variable {};

ModuleState::ModuleState(const std::filesystem::path&, void*) {
  throw Error(ErrorCode::unsupported, "this build has no CUDA");
}
ModuleState::~ModuleState() = default;
std::vector<std::string> ModuleState::keep(const std::string&) { return {}; }
void ModuleState::restore(const Stream&) const {}

}  // namespace rafter::lab
