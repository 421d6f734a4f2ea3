#include "workbench/bench/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <sstream>

#include "base/cuda_toolkit.hpp"
#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/process.hpp"
#include "executor/build/cache.hpp"
#include "executor/build/kernel_driver.hpp"
#include "executor/build/nvcc.hpp"
#include "executor/build/reduced.hpp"
#include "executor/build/toolchain.hpp"
#include "rafter/error.hpp"
#include "workbench/bench/nvcc_options.hpp"

namespace rafter::bench {

namespace fs = std::filesystem;

namespace {

constexpr double compile_limit_s = 300;

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> parts(1);
  for (const char c : line) {
    if (c == '\t') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

TableParameter parse_parameter(const std::string& line) {
  const auto words = split_at_tabs(line);
  return {words.at(0),        element_type_called(words.at(1)), words.at(2) == "1",
          words.at(3) == "1", std::stoi(words.at(4)),           std::stoi(words.at(5))};
}

/// The command line of nvcc, which compiles the table instead of the file.
base::Command nvcc_command(const fs::path& nvcc, const KernelPlan& plan, const std::vector<std::string>& build,
                           const fs::path& table, const fs::path& object) {
  base::Command command{nvcc.string(), "-shared", "-Xcompiler",  "-fPIC,-fvisibility=hidden",
                        "-lineinfo",   "-w",      "-no-compress"};  // lab::ModuleState reads the variables
  const base::Command target = nvcc_defaults(build);
  command.insert(command.end(), target.begin(), target.end());
  for (const std::string& word : build) {
    if (word != plan.file.string()) command.push_back(word);
  }
  const fs::path folder = fs::absolute(plan.file).parent_path();
  command.insert(command.end(), {"-I" + folder.string(), "-o", object.string(), table.string()});
  return command;
}

fs::path build_for_gpu(const KernelPlan& plan, const std::vector<std::string>& build, const fs::path& table,
                       const fs::path& scratch) {
  const fs::path nvcc = base::find_cuda_program("nvcc"), object = scratch / "libtable.so";
  if (nvcc.empty()) throw Error(ErrorCode::unsupported, "there is no nvcc on this machine: install the CUDA toolkit");
  const base::Outcome ended =
      base::run_process({.command = nvcc_command(nvcc, plan, build, table, object), .time_limit_s = compile_limit_s});
  if (ended.succeeded()) return object;
  throw Error(ErrorCode::bad_argument, fmt::format("{} does not compile for the GPU\n{}", plan.file.string(),
                                                   base::first_compiler_error(ended.output)));
}

fs::path build_for_executor(const std::vector<std::string>& build, const fs::path& table) {
  const simt::build::NvccCommand command = simt::build::parse_nvcc(build);
  simt::build::Build what;
  what.sources = {table};
  what.options = command.options;
  what.link_flags = command.link_flags;
  what.options.mode = simt::build::Mode::checked;
  what.options.flags.insert(what.options.flags.end(), {"-fPIC", "-fvisibility=hidden"});
  what.link_flags.emplace_back("-shared");
  return simt::build::build_program(what, simt::build::toolchain()).program;
}

/// Writes the table to a file whose name is its digest, since the path is part of the key of the executor's build
/// cache.
fs::path write_table(const KernelPlan& plan, const simt::build::Declared& declared, const fs::path& source) {
  std::vector<std::string> symbols;
  for (const Argument& symbol : plan.symbols) symbols.push_back(symbol.name);
  const std::string text = simt::build::generate_kernel_table(
      declared, {.text = source,
                 .kernels = plan.functions_of(CallKind::kernel),
                 .functions = plan.functions_of(CallKind::host),
                 .symbols = symbols,
                 .table_header = simt::build::toolchain().shim_dir / "rafter_simt/launch/kernel_table.hpp"});
  simt::build::Digest digest;
  digest.add(text);
  const fs::path folder = simt::build::Cache().folder() / "tables", table = folder / (digest.text() + ".cu");
  fs::create_directories(folder);
  if (base::read_file(table) != text) base::write_file(table, text);
  return table;
}

}  // namespace

std::string TableParameter::text() const {
  if (!type) return is_pointer ? "a pointer to a user-defined type" : "a user-defined type";
  return fmt::format("{}{}{}{}", is_const && is_pointer ? "const " : "", bench::name(*type),
                     components > 1 ? fmt::format("x{}", components) : "", is_pointer ? "*" : "");
}

std::string TableFunction::text() const {
  std::string list;
  for (const TableParameter& p : parameters)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", p.type ? p.text() : "?", p.name);
  return fmt::format("{}({})", name, list);
}

Library::Library(const fs::path& file) : file_(file) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw Error(ErrorCode::io, fmt::format("cannot load {}: {}", file.string(), dlerror()));
  const auto size = reinterpret_cast<int (*)()>(dlsym(handle, "rafter_table_size"));
  const auto text = reinterpret_cast<const char* (*)(int)>(dlsym(handle, "rafter_table_text"));
  call_ = reinterpret_cast<decltype(call_)>(dlsym(handle, "rafter_table_call"));
  error_ = reinterpret_cast<decltype(error_)>(dlsym(handle, "rafter_table_error"));
  module_ = reinterpret_cast<decltype(module_)>(dlsym(handle, "rafter_table_module"));
  if (size == nullptr || text == nullptr || module_ == nullptr || call_ == nullptr || error_ == nullptr)
    throw Error(ErrorCode::io, fmt::format("{} has no table of kernels", file.string()));
  for (int i = 0; i < size(); ++i) add_entry(i, text(i));
}

void Library::add_entry(int index, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  const auto head = split_at_tabs(line);
  std::vector<TableParameter> parameters;
  while (std::getline(lines, line)) parameters.push_back(parse_parameter(line));
  if (head.at(0) == "symbol") {
    symbols_.push_back({index, head.at(1), parameters.at(0), std::stoll(head.at(2))});
  } else {
    functions_.push_back({index, head.at(0) == "kernel", head.at(1), std::move(parameters)});
  }
}

const TableFunction& Library::called(const std::string& name) const {
  std::vector<std::string> known;
  for (const TableFunction& function : functions_) {
    if (function.name == name) return function;
    known.push_back(function.name);
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("function", name, known));
}

void* Library::module_function() const {
  void* const found = module_();
  if (found == nullptr) throw Error(ErrorCode::device_failure, fmt::format("{} is not on the GPU", file_.string()));
  return found;
}

std::string Library::error_text(int error) const { return error_(error); }

void Library::call(int index, const std::string& what, void** arguments, const Launch& launch) const {
  const int error = call_(index, arguments, &launch);
  if (error != 0) throw Error(ErrorCode::device_failure, fmt::format("{}: {}", what, error_text(error)));
}

void Library::call(const TableFunction& function, void** arguments, const LaunchShape& shape, void* stream) const {
  call(function.index, (function.is_kernel ? "launching " : "in ") + function.name, arguments,
       {shape.grid, shape.block, shape.shared_bytes, shape.is_cooperative, stream});
}

void Library::set(const TableSymbol& symbol, const void* value, void* stream) const {
  void* arguments[] = {const_cast<void*>(value)};
  call(symbol.index, "setting " + symbol.name, arguments, {.stream = stream});
}

fs::path build_library(const KernelPlan& plan, const std::vector<std::string>& build, Device device,
                       const fs::path& scratch) {
  const simt::build::CompileOptions options = simt::build::parse_nvcc(build).options;
  const simt::build::Declared declared(plan.file, options);
  std::vector<std::string> names = plan.functions_of(CallKind::kernel);
  for (const std::string& function : plan.functions_of(CallKind::host)) names.push_back(function);
  for (const Argument& symbol : plan.symbols) names.push_back(symbol.name);
  const bool on_gpu = device == Device::cuda;
  return simt::build::build_what_is_needed(
      plan.file, options, names, on_gpu ? simt::build::Libraries::missing : simt::build::Libraries::replaced,
      [&](const fs::path& text) {
        const fs::path table = write_table(plan, declared, text);
        return on_gpu ? build_for_gpu(plan, build, table, scratch) : build_for_executor(build, table);
      });
}

}  // namespace rafter::bench
