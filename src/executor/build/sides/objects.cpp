#include "executor/build/sides/objects.hpp"

#include <optional>

#include "base/files.hpp"
#include "base/process.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace fs = std::filesystem;

namespace {

void run_or_throw(const std::vector<base::Command>& commands) {
  for (const base::Outcome& outcome : base::run_all(commands)) {
    if (outcome.status() != 0) throw Error(ErrorCode::io, outcome.output);
  }
}

std::string read(const fs::path& path) {
  std::optional<std::string> text = base::read_file(path);
  if (!text) throw Error(ErrorCode::io, "cannot read '" + path.string() + "'");
  return std::move(*text);
}

Sides combine(const Compilation& whole, const SideFiles& assembly, const NamesOfSides& names) {
  try {
    return combine_sides(read(assembly.host), read(assembly.device), names);
  } catch (const Error& error) {
    throw Error(error.code(), whole.source.string() + ": " + error.what());
  }
}

}  // namespace

void combine_objects(const Compilation& whole, const SideFiles& assembly, const NamesOfSides& names,
                     const CompileOptions& options, const Toolchain& toolchain) {
  const base::ScratchFolder folder;
  const Sides sides = combine(whole, assembly, names);
  std::vector<base::Command> commands;
  base::Command link{"ld", "-r", "-o", whole.object.string()};
  for (const auto& [name, text] : {std::pair{"host", &sides.host}, {"device", &sides.device}}) {
    const std::string file = (folder.path() / name).string();
    base::write_file(file + ".s", *text);
    base::Command command{toolchain.compiler, "-c", file + ".s", "-o", file + ".o"};
    if (options.mode == Mode::checked) command.push_back("-B" + toolchain.tools_dir.string() + "/");
    commands.push_back(command);
    link.push_back(file + ".o");
  }
  run_or_throw(commands);
  run_or_throw({link});
  if (sides.shared.empty()) return;
  std::string renames, locals;
  for (const std::string& name : sides.shared) {
    renames += name + std::string(shared_suffix) + " " + name + "\n";
    locals += name + "\n";
  }
  const std::string rename_list = (folder.path() / "renames").string(),
                    local_list = (folder.path() / "locals").string();
  base::write_file(rename_list, renames);
  base::write_file(local_list, locals);
  run_or_throw(
      {{"objcopy", "--redefine-syms=" + rename_list, "--localize-symbols=" + local_list, whole.object.string()}});
}

}  // namespace rafter::simt::build
