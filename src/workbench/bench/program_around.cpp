#include "workbench/bench/program_around.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "executor/build/declared.hpp"
#include "executor/build/nvcc.hpp"
#include "workbench/bench/arrays.hpp"
#include "workbench/bench/refuse.hpp"

namespace rafter::bench {

namespace fs = std::filesystem;

namespace {

constexpr const char* head = R"(
#include <cstdio>
#include <cstdlib>
#include <cstring>
namespace rafter_program {
struct Address {
  void* at;
  template <class T> operator T*() const { return static_cast<T*>(at); }
};
template <int N> struct Bytes {
  unsigned char of[N];
  template <class T> operator T() const { T value; static_assert(sizeof(T) == N, "the members of struct{...} are not those of the parameter"); std::memcpy(&value, of, N); return value; }
};
inline Address allocated(std::size_t bytes, const char* file) {
  Address made{};
  cudaMalloc(&made.at, bytes > 0 ? bytes : 1);
  std::FILE* in = *file ? std::fopen(file, "rb") : nullptr;
  if (in == nullptr) return made;
  void* content = std::malloc(bytes + 1);
  if (std::fread(content, 1, bytes, in) == bytes) cudaMemcpy(made.at, content, bytes, cudaMemcpyHostToDevice);
  std::fclose(in);
  std::free(content);
  return made;
}
}
)";

/// A list of bytes as C++ writes it.
std::string initialiser(const HostBytes& bytes) {
  std::string text;
  for (const std::byte b : bytes) text += fmt::format("{}{}", text.empty() ? "" : ",", std::to_integer<int>(b));
  return "{{" + text + "}}";
}

class ProgramText {
 public:
  ProgramText(const KernelPlan& plan, fs::path folder)
      : plan_(plan),
        folder_(std::move(folder)),
        names_(names_of(plan.first_case())),
        declared_(plan.file, simt::build::parse_nvcc(plan.build).options) {}

  std::string text() {
    for (const Argument& argument : plan_.arguments) {
      if (argument.is_array()) add_array(argument);
    }
    for (const Argument& symbol : plan_.symbols) add_symbol(symbol);
    for (const Call& call : plan_.calls_of(plan_.kernels.front())) add_call(call);
    return fmt::format(
        "#define main rafter_user_main\n#include \"{}\"\n#undef main\n{}int main() {{\n{}"
        "  cudaDeviceSynchronize();\n  return cudaGetLastError() == cudaSuccess ? 0 : 1;\n}}\n",
        fs::absolute(plan_.file).string(), head, body_);
  }

 private:
  void add_array(const Argument& argument) {
    const Array array = evaluate_array(argument, names_);
    const bool is_filled = argument.fill.kind != FillRule::Kind::none && argument.fill.kind != FillRule::Kind::scratch;
    const fs::path file = is_filled ? folder_ / (argument.name + ".bin") : fs::path();
    if (is_filled) {
      const HostBytes bytes = filled_bytes(array, 1);
      base::write_file(file, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    }
    body_ += fmt::format("  const auto rafter_{} = rafter_program::allocated({}, \"{}\");\n", argument.name,
                         array.bytes(), file.string());
  }

  void add_symbol(const Argument& symbol) {
    std::string value;
    if (symbol.is_array()) {
      const HostBytes bytes = filled_bytes(evaluate_array(symbol, names_), 1);
      value = fmt::format("rafter_program::Bytes<{}> value{};\n", bytes.size(), initialiser(bytes));
    } else if (symbol.kind == Argument::Kind::scalar) {
      value = fmt::format("decltype(::{}) value = {};\n", symbol.name, number(symbol));
    } else {
      refuse("--symbol {}: a structure is not explained: describe the variable as an array", symbol.name);
    }
    body_ += fmt::format("  {{\n    {}    cudaMemcpyToSymbol(::{}, &value, sizeof value);\n  }}\n", value, symbol.name);
  }

  std::string number(const Argument& argument) const {
    return fmt::format("({:.17g})", argument.fill.operands.front().evaluate(names_));
  }

  /// Returns the spelling of an argument.
  std::string spelled(const Operand& operand) {
    const Argument& argument = operand.argument;
    if (argument.is_null()) return "nullptr";
    if (argument.kind == Argument::Kind::scalar) return number(argument);
    if (argument.kind == Argument::Kind::structure) {
      const Value value = evaluate_structure(argument, names_);
      const std::string name = fmt::format("rafter_value_{}", n_values_++);
      body_ += fmt::format("  rafter_program::Bytes<{}> {}{};\n", value.bytes.size(), name, initialiser(value.bytes));
      for (const Value::Pointer& pointer : value.pointers)
        body_ +=
            fmt::format("  std::memcpy({}.of + {}, &rafter_{}.at, sizeof(void*));\n", name, pointer.at, pointer.array);
      return name;
    }
    if (!operand.offset) return "rafter_" + argument.name;
    const std::int64_t offset =
        operand.offset->evaluate_integer(names_) * bytes_of(evaluate_array(argument, names_).type);
    return fmt::format("rafter_program::Address{{static_cast<char*>(rafter_{}.at) + {}}}", argument.name, offset);
  }

  /// The arguments of a call that names none: those of the parameters' names.
  std::vector<Operand> by_name(const Call& call) const {
    const simt::build::FunctionName name = simt::build::parse_function_name(call.function);
    const auto found = call.launch ? declared_.kernels_called(name) : declared_.functions_called(name);
    std::vector<Operand> operands;
    for (const std::string& parameter : found.front().parameters) {
      const auto argument = std::find_if(plan_.arguments.begin(), plan_.arguments.end(),
                                         [&](const Argument& one) { return one.name == parameter; });
      if (argument == plan_.arguments.end() && !names_.contains(parameter))
        refuse("no --arg for '{}' of {}", parameter, call.function);
      operands.push_back({argument != plan_.arguments.end() ? *argument : scalar_argument(parameter, parameter)});
    }
    return operands;
  }

  void add_call(const Call& call) {
    std::string arguments, launch;
    for (const Operand& operand : call.operands ? *call.operands : by_name(call))
      arguments += (arguments.empty() ? "" : ", ") + spelled(operand);
    const simt::build::FunctionName name = simt::build::parse_function_name(call.function);
    const auto found = call.launch ? declared_.kernels_called(name) : declared_.functions_called(name);
    if (call.launch) {
      const LaunchShape shape = shape_of(call.function, *call.launch, names_);
      if (shape.is_cooperative) refuse("{} is launched cooperatively, which explain does not do", call.function);
      launch = fmt::format("<<<dim3({}), dim3({}), {}>>>", fmt::join(shape.grid, ", "), fmt::join(shape.block, ", "),
                           shape.shared_bytes);
    }
    body_ += fmt::format("  {}{}{}({});\n", found.front().name, name.arguments, launch, arguments);
  }

  const KernelPlan& plan_;
  fs::path folder_;
  base::Names names_;
  simt::build::Declared declared_;
  std::string body_{};
  int n_values_ = 0;
};

}  // namespace

bool is_launcher(const std::vector<std::string>& build, const std::string& function) {
  const simt::build::NvccCommand command = simt::build::parse_nvcc(build);
  const simt::build::FunctionName name = simt::build::parse_function_name(function);
  for (const std::string& input : command.inputs) {
    if (input.starts_with("-") || !fs::exists(input)) continue;
    const simt::build::Declared declared(input, command.options);
    if (declared.kernels_called(name).empty() && !declared.functions_called(name).empty()) return true;
  }
  return false;
}

std::string program_around(const KernelPlan& plan, const fs::path& folder) { return ProgramText(plan, folder).text(); }

}  // namespace rafter::bench
