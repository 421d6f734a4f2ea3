#include "workbench/trial/challenge/solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/files.hpp"
#include "base/pattern.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* entry_name = "rafter_solution";
constexpr const char* entry_prefix = "rafter_";
constexpr const char* entry_headers = "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n\n#include <cstdint>\n";

struct SolutionSource {
  std::string path, content;
};

class SolutionReader {
 public:
  SolutionReader(const std::string& file, const Challenge& challenge) : file_(file), challenge_(challenge) {
    const auto text = base::read_file(file);
    if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file));
    document_ = json::parse(*text, nullptr, false);
    try {
      read();
    } catch (const json::exception&) {
      mistake("is no solution: its spec or its sources are missing, or have another form");
    }
  }

  Solution write(const fs::path& folder) const {
    std::string text;
    for (const SolutionSource& source : sources_) {
      const fs::path path = folder / source.path;
      fs::create_directories(path.parent_path());
      base::write_file(path, source.content);
      if (is_compiled(source.path)) text += fmt::format("#include \"{}\"\n", source.path);
    }
    const Solution solution{.file = folder / "rafter_solution.cu", .function = entry_name};
    base::write_file(solution.file, text + call());
    // In a sandbox that root starts, another user reads the sources: as readable as the solution itself.
    constexpr fs::perms others = fs::perms::others_read;
    if ((fs::status(file_).permissions() & others) == others) fs::permissions(folder, fs::perms{0755});
    return solution;
  }

 private:
  [[noreturn]] void mistake(const std::string& what) const {
    throw Error(ErrorCode::bad_argument, fmt::format("{} {}", file_, what));
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorCode::unsupported, fmt::format("{} {}", file_, why));
  }

  void read() {
    const json& spec = document_.at("spec");
    require_language(spec);
    if (!spec.value("destination_passing_style", true))
      refuse(
          "returns its results; only functions that write to outputs they are given (destination_passing_style) "
          "are taken");
    const std::string of = document_.value("definition", ""), wanted = challenge_.exercise.title;
    if (of != wanted) mistake(fmt::format("is a solution of '{}', not of '{}'", of, wanted));
    for (const json& source : document_.at("sources")) add_source(source.at("path"), source.at("content"));
    const std::string entry = spec.at("entry_point");
    const std::size_t colons = entry.find("::");
    if (colons == std::string::npos) mistake(fmt::format("has the entry point '{}'; FILE::FUNCTION is needed", entry));
    entry_ = entry.substr(0, colons);
    function_ = entry.substr(colons + 2);
    static const base::Pattern name(R"(^[A-Za-z_]\w*(::[A-Za-z_]\w*)*$)");
    if (!name.find(function_)) mistake(fmt::format("has the entry point '{}', which names no function", entry));
    if (std::none_of(sources_.begin(), sources_.end(),
                     [&](const SolutionSource& source) { return source.path == entry_; }))
      mistake(fmt::format("has no source '{}', which its entry point is in", entry_));
    if (!is_compiled(entry_)) refuse(fmt::format("has its entry point in '{}'; only CUDA and C++ are taken", entry_));
    // The entry point comes last, after what it may call.
    std::stable_partition(sources_.begin(), sources_.end(),
                          [&](const SolutionSource& one) { return one.path != entry_; });
    require_binding(spec);
  }

  void require_language(const json& spec) const {
    std::vector<std::string> languages;
    if (spec.contains("languages")) languages = spec.at("languages").get<std::vector<std::string>>();
    if (spec.contains("language")) languages.push_back(spec.at("language"));
    if (languages.empty()) mistake("names no language");
    for (const std::string& language : languages) {
      if (language != "cuda" && language != "cpp" && language != "cuda_cpp")
        refuse(fmt::format("is written in {}; only CUDA and C++ run on the executor", language));
    }
  }

  void require_binding(const json& spec) {
    const auto mentions = [&](const char* words) {
      return std::any_of(sources_.begin(), sources_.end(),
                         [&](const SolutionSource& source) { return source.content.find(words) != std::string::npos; });
    };
    const bool is_torch = mentions("torch/extension.h") || mentions("torch/torch.h") || mentions("torch::Tensor") ||
                          mentions("at::Tensor");
    takes_tensors_ = mentions("tvm/ffi") || mentions("dlpack/dlpack.h");
    if (is_torch || (!takes_tensors_ && spec.value("binding", json()) == "torch"))
      refuse(
          "takes tensors of PyTorch, whose C++ library is not part of Rafter; functions with tensors of TVM-FFI, or "
          "with pointers and sizes, are taken");
    if (takes_tensors_ && (!mentions("TVM_FFI_DLL_EXPORT_TYPED_FUNC") || function_.find("::") != std::string::npos))
      mistake(fmt::format("does not export '{}': write TVM_FFI_DLL_EXPORT_TYPED_FUNC({}, YOUR_FUNCTION)", function_,
                          function_));
  }

  /// A path must stay within the folder, and must be one that #include can spell.
  void add_source(const std::string& path, const std::string& content) {
    const fs::path normal = fs::path(path).lexically_normal();
    const bool leaves = path.empty() || normal.is_absolute() || *normal.begin() == ".." || normal.filename().empty();
    const bool is_odd = std::any_of(path.begin(), path.end(),
                                    [](unsigned char c) { return c < ' ' || c == '"' || c == '\\' || c == 127; });
    if (leaves || is_odd) mistake(fmt::format("has a source '{}' outside of its folder", path));
    if (normal.filename() == "rafter_solution.cu") mistake("has a source rafter_solution.cu, a name that is taken");
    for (const SolutionSource& source : sources_) {
      if (source.path == normal.string()) mistake(fmt::format("has two sources '{}'", path));
    }
    sources_.push_back({normal.string(), content});
  }

  static bool is_compiled(const std::string& path) {
    const std::set<std::string> endings{".cu", ".cpp", ".cc", ".cxx"};
    return endings.contains(fs::path(path).extension().string());
  }

  /// Returns the tensor of an array: its pointer, its element type and its extents, which are axes.
  std::string tensor(const lab::ExerciseParameter& parameter) const {
    const json& constants = challenge_.layout.at("constants");
    std::string extents;
    for (const json& extent : challenge_.layout.at("shapes").at(parameter.name)) {
      const std::string name = extent.is_string() ? extent.get<std::string>() : extent.dump();
      const bool is_value = !extent.is_string() || constants.contains(name);
      const std::string value = constants.contains(name) ? constants.at(name).dump() : name;
      extents += (extents.empty() ? "" : ", ") + (is_value ? value : entry_prefix + value);
    }
    const std::string type = challenge_.layout.at("types").at(parameter.name);
    return fmt::format("::rafter_simt::ffi::PackedTensor({}{}, {{{}}}, {{{}}})", entry_prefix, parameter.name,
                       data_type_of(type), extents);
  }

  /// The type code and the bits of DLPack.
  static std::string data_type_of(const std::string& type) {
    if (type == "bool") return "kDLBool, 8, 1";
    const char* code = type.starts_with("bfloat")  ? "kDLBfloat"
                       : type.starts_with("float") ? "kDLFloat"
                       : type.starts_with("uint")  ? "kDLUInt"
                                                   : "kDLInt";
    return fmt::format("{}, {}, 1", code, type.substr(type.find_first_of("0123456789")));
  }

  /// Returns a function with the exercise's parameters that calls the solution's. Its names are prefixed: sources
  /// define macros such as M.
  std::string call() const {
    std::string parameters, arguments;
    const auto add = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
    const json& axes = challenge_.layout.at("axes");
    for (const lab::ExerciseParameter& parameter : challenge_.exercise.parameters) {
      const bool is_axis = std::find(axes.begin(), axes.end(), parameter.name) != axes.end();
      add(parameters, fmt::format("{} {}{}", is_axis ? "std::int64_t" : parameter.type, entry_prefix, parameter.name));
      if (!takes_tensors_) {
        add(arguments, entry_prefix + parameter.name);
      } else if (!is_axis) {
        add(arguments, parameter.type.ends_with("*")
                           ? tensor(parameter)
                           : fmt::format("::rafter_simt::ffi::packed({}{})", entry_prefix, parameter.name));
      }
    }
    if (!takes_tensors_)
      return fmt::format("{}void {}({}) {{\n  ::{}({});\n}}\n", entry_headers, entry_name, parameters, function_,
                         arguments);
    return fmt::format(
        "{}#include <tvm/ffi/function.h>\nextern \"C\" int __tvm_ffi_{}(void*, const TVMFFIAny*, std::int32_t, "
        "TVMFFIAny*);\nvoid {}({}) {{\n  const auto call = [](auto&&... values) {{\n    const TVMFFIAny "
        "arguments[] = {{values...}};\n    __tvm_ffi_{}(nullptr, arguments, sizeof...(values), nullptr);\n  }};\n  "
        "call({});\n}}\n",
        entry_headers, function_, entry_name, parameters, function_, arguments);
  }

  const std::string& file_;
  const Challenge& challenge_;
  json document_{};
  std::vector<SolutionSource> sources_{};
  std::string entry_{}, function_{};
  bool takes_tensors_ = false;
};

}  // namespace

bool is_solution(const std::string& file) {
  if (!file.ends_with(".json")) return false;
  const json document = json::parse(base::read_file(file).value_or(""), nullptr, false);
  return document.is_object() && document.contains("spec") && document.contains("sources");
}

Solution unpack_solution(const std::string& file, const Challenge& challenge, const fs::path& folder) {
  return SolutionReader(file, challenge).write(folder);
}

Submitted read_submitted(const std::string& file, const std::string& kernel, const Challenge* definition,
                         const fs::path& folder) {
  if (definition == nullptr || !file.ends_with(".json"))
    return {.source = read_source(file), .kernel = kernel, .readable = {file}};
  const Solution solution = unpack_solution(file, *definition, folder);
  return {.source = read_source(solution.file.string()), .kernel = solution.function, .readable = {folder}};
}

}  // namespace rafter::trial
