#include "executor/build/kernel_driver.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/messages.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace {

[[noreturn]] void fail_unknown(const std::filesystem::path& file, const std::string& name,
                               const std::vector<Kernel>& kernels) {
  if (kernels.empty()) throw Error(ErrorCode::bad_argument, fmt::format("'{}' has no kernels", file.string()));
  std::vector<std::string> names;
  std::string list;
  for (const Kernel& kernel : kernels) {
    names.push_back(kernel.name);
    list += fmt::format("\n{}:{}: {}{}", file.string(), kernel.line, kernel.name, kernel.is_template ? "<...>" : "");
  }
  throw Error(ErrorCode::bad_argument, base::unknown_name("kernel", name, names) + list);
}

/// Whether the types can be written in any scope: plain words and pointers, nothing that depends on a template.
bool all_plain(const std::vector<std::string>& types) {
  return std::all_of(types.begin(), types.end(),
                     [](const std::string& type) { return type.find_first_of("<>()[]&=,") == std::string::npos; });
}

/// A function of a file as an expression, and its parameters' names as a list of literals.
struct Chosen {
  std::string address, names;
};

std::string literals(const std::vector<std::string>& parameters) {
  std::string names;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    names +=
        fmt::format("{}\"{}\"", i > 0 ? ", " : "", parameters[i].empty() ? fmt::format("arg{}", i) : parameters[i]);
  return names;
}

Chosen choose(const Declared& declared, const std::string& kernel) {
  const FunctionName name = parse_function_name(kernel);
  const std::vector<Kernel> found = declared.kernels_called(name);
  if (found.empty()) fail_unknown(declared.file(), name.name, declared.all_kernels());
  const Kernel& chosen = found.front();
  if (chosen.is_template && name.arguments.empty()) {
    throw Error(ErrorCode::bad_argument,
                fmt::format("{}:{}: '{}' is a template: name its arguments, for example '{}<float>'",
                            declared.file().string(), chosen.line, chosen.name, chosen.name));
  }
  std::string address = "&::" + chosen.name + name.arguments;
  // Overloaded: take the first. In the global scope the C library may declare the same name, for example index.
  const bool overloaded = found.size() > 1 || (chosen.name.find("::") == std::string::npos && all_plain(chosen.types));
  if (name.has_types) {
    address = fmt::format("static_cast<void (*)({})>({})", name.types, address);
  } else if (overloaded && !chosen.is_template) {
    address = fmt::format("static_cast<void (*)({})>({})", fmt::join(chosen.types, ", "), address);
  }
  return {address, literals(chosen.parameters)};
}

/// Returns an #include of the file with its main renamed.
std::string included(const std::filesystem::path& file) {
  const std::string path = std::filesystem::absolute(file).string();
  if (path.find_first_of("\"\\\n") != std::string::npos)  // #include cannot spell them
    throw Error(ErrorCode::bad_argument,
                fmt::format("{}: the path contains a quote, a backslash or a line break: rename it", path));
  return fmt::format("#define main rafter_user_main\n#include \"{}\"\n#undef main\n", path);
}

/// Returns an #include of an executor header that hides the user's macros from it: files define N and R, min and max.
/// The macros are restored afterwards, because the generated code that follows contains the user's text.
std::string included_without_macros(const std::string& header) {
  std::vector<std::string> names{"min", "max", "abs", "swap", "size", "count", "data", "value", "name", "type", "text"};
  for (char letter = 'A'; letter <= 'Z'; ++letter) names.emplace_back(1, letter);
  for (char letter = 'a'; letter <= 'z'; ++letter) names.emplace_back(1, letter);
  std::string before, after;
  for (const std::string& name : names) {
    before += fmt::format("#pragma push_macro(\"{0}\")\n#undef {0}\n", name);
    after += fmt::format("#pragma pop_macro(\"{}\")\n", name);
  }
  return fmt::format("{}#include \"{}\"\n{}", before, header, after);
}

/// Returns the text of a program whose main returns `call`.
std::string driver(const std::filesystem::path& file, const std::string& header, const std::string& call) {
  return fmt::format("{}{}int main(int argc, char** argv) {{ return ::rafter_simt::{}; }}\n", included(file),
                     included_without_macros("rafter_simt/" + header), call);
}

Chosen choose_function(const Declared& declared, const std::string& function) {
  const FunctionName name = parse_function_name(function);
  const std::vector<Kernel> found = declared.functions_called(name);
  if (found.empty())
    throw Error(ErrorCode::bad_argument,
                fmt::format("{} has no host function '{}'", declared.file().string(), function));
  return {"&::" + found.front().name + name.arguments, literals(found.front().parameters)};
}

/// The entry of a variable: its type, and a function that sets it.
std::string symbol_entry(const std::string& symbol) {
  return fmt::format(
      "::rafter_simt::symbol_entry<decltype(::{0})>(\"{0}\", [](const void* from, void* stream) {{\n"
      "      return cudaMemcpyToSymbolAsync(::{0}, from, sizeof(::{0}), 0, cudaMemcpyHostToDevice,\n"
      "                                     static_cast<cudaStream_t>(stream));\n    }})",
      symbol);
}

}  // namespace

std::string generate_kernel_driver(const Declared& declared, const std::filesystem::path& text,
                                   const std::string& kernel) {
  const auto [address, names] = choose(declared, kernel);
  return driver(text, "launch/bare.hpp",
                fmt::format("run_bare({}, \"{}\", {{{}}}, argc, argv)", address, kernel, names));
}

std::string generate_exercise_driver(const std::filesystem::path& file, const std::string& kernel) {
  const auto [address, names] = choose(Declared(file, {}), kernel);
  return driver(file, "launch/exercise.hpp", fmt::format("run_exercise({}, \"{}\", argc, argv)", address, kernel));
}

std::string generate_host_exercise_driver(const std::filesystem::path& file, const std::string& function) {
  return driver(file, "launch/exercise.hpp", fmt::format("run_host_exercise(&::{}, argc, argv)", function));
}

std::string generate_kernel_table(const Declared& declared, const TableRequest& request) {
  std::string text = included(request.text) + included_without_macros(request.table_header.string()), entries;
  int n = 0;
  const auto add = [&](const char* kind, const std::string& name, const Chosen& chosen) {
    text += fmt::format("static const char* const rafter_names_{}[] = {{{}{}\"\"}};\n", n, chosen.names,
                        chosen.names.empty() ? "" : ", ");
    entries +=
        fmt::format("\n    ::rafter_simt::{}_entry({}, \"{}\", rafter_names_{}),", kind, chosen.address, name, n++);
  };
  for (const std::string& kernel : request.kernels) add("kernel", kernel, choose(declared, kernel));
  for (const std::string& function : request.functions) add("host", function, choose_function(declared, function));
  for (const std::string& symbol : request.symbols) entries += fmt::format("\n    {},", symbol_entry(symbol));
  return text + fmt::format(
                    "std::vector<rafter_simt::TableEntry*>& rafter_simt::table() {{\n"
                    "  static std::vector<rafter_simt::TableEntry*> entries{{{}}};\n  return entries;\n}}\n",
                    entries);
}

}  // namespace rafter::simt::build
