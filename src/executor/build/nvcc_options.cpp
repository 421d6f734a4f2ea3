#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "base/files.hpp"
#include "executor/build/nvcc.hpp"
#include "rafter/error.hpp"

namespace rafter::simt::build {

namespace {

enum class Meaning {
  output,
  include_path,
  system_path,
  define,
  undefine,
  library,
  library_path,
  standard,

  host_option,
  linker_option,
  language,
  relocatable,
  options_file,
  compile,
  compile_relocatable,
  device_link,
  preprocess,
  dependencies,
  writes_dependencies,
  dependency_file,
  dependency_target,
  dependency_flag,
  archive,
  shared,
  version,
  help,
  verbose,
  dry_run,
  pre_include,
  debug,
  default_stream,
  ignored,
  ignored_value,
  refused
};

struct Option {
  std::string_view long_name;   // after two dashes
  std::string_view short_name;  // after one
  Meaning meaning;
};

// clang-format off
constexpr std::array known_options{
    Option{"output-file", "o", Meaning::output},
    Option{"include-path", "I", Meaning::include_path},
    Option{"system-include", "isystem", Meaning::system_path},
    Option{"pre-include", "include", Meaning::pre_include},
    Option{"define-macro", "D", Meaning::define},
    Option{"undefine-macro", "U", Meaning::undefine},
    Option{"library", "l", Meaning::library},
    Option{"library-path", "L", Meaning::library_path},
    Option{"std", "std", Meaning::standard},
    Option{"optimize", "O", Meaning::ignored_value},
    Option{"compiler-options", "Xcompiler", Meaning::host_option},
    Option{"linker-options", "Xlinker", Meaning::linker_option},
    Option{"x", "x", Meaning::language},
    Option{"relocatable-device-code", "rdc", Meaning::relocatable},
    Option{"options-file", "optf", Meaning::options_file},
    Option{"compile", "c", Meaning::compile},
    Option{"device-c", "dc", Meaning::compile_relocatable},
    Option{"device-w", "dw", Meaning::compile},
    Option{"device-link", "dlink", Meaning::device_link},
    Option{"preprocess", "E", Meaning::preprocess},
    Option{"generate-dependencies", "M", Meaning::dependencies},
    Option{"generate-nonsystem-dependencies", "MM", Meaning::dependencies},
    Option{"generate-dependencies-with-compile", "MD", Meaning::writes_dependencies},
    Option{"generate-nonsystem-dependencies-with-compile", "MMD", Meaning::writes_dependencies},
    Option{"dependency-output", "MF", Meaning::dependency_file},
    Option{"dependency-target-name", "MT", Meaning::dependency_target},
    Option{"", "MQ", Meaning::dependency_target},
    Option{"generate-dependency-targets", "MP", Meaning::dependency_flag},
    Option{"lib", "lib", Meaning::archive},
    Option{"shared", "shared", Meaning::shared},
    Option{"version", "V", Meaning::version},
    Option{"help", "h", Meaning::help},
    Option{"verbose", "v", Meaning::verbose},
    Option{"dryrun", "dryrun", Meaning::dry_run},
    Option{"debug", "g", Meaning::debug},
    Option{"device-debug", "G", Meaning::debug},
    Option{"generate-line-info", "lineinfo", Meaning::ignored},
    Option{"gpu-architecture", "arch", Meaning::ignored_value},
    Option{"gpu-code", "code", Meaning::ignored_value},
    Option{"generate-code", "gencode", Meaning::ignored_value},
    Option{"ptxas-options", "Xptxas", Meaning::ignored_value},
    Option{"nvlink-options", "Xnvlink", Meaning::ignored_value},
    Option{"archive-options", "Xarchive", Meaning::ignored_value},
    Option{"Xcudafe", "Xcudafe", Meaning::ignored_value},
    Option{"compiler-bindir", "ccbin", Meaning::ignored_value},
    Option{"cudart", "cudart", Meaning::ignored_value},
    Option{"cudadevrt", "cudadevrt", Meaning::ignored_value},
    Option{"machine", "m", Meaning::ignored_value},
    Option{"", "m64", Meaning::ignored},
    Option{"", "m32", Meaning::ignored},
    Option{"maxrregcount", "maxrregcount", Meaning::ignored_value},
    Option{"default-stream", "default-stream", Meaning::default_stream},
    Option{"threads", "t", Meaning::ignored_value},
    Option{"split-compile", "split-compile", Meaning::ignored_value},
    Option{"keep-dir", "keep-dir", Meaning::ignored_value},
    Option{"ftz", "ftz", Meaning::ignored_value},
    Option{"prec-div", "prec-div", Meaning::ignored_value},
    Option{"prec-sqrt", "prec-sqrt", Meaning::ignored_value},
    Option{"fmad", "fmad", Meaning::ignored_value},
    Option{"Werror", "Werror", Meaning::ignored_value},
    Option{"diag-suppress", "diag-suppress", Meaning::ignored_value},
    Option{"diag-error", "diag-error", Meaning::ignored_value},
    Option{"diag-warn", "diag-warn", Meaning::ignored_value},
    Option{"target-directory", "target-dir", Meaning::ignored_value},
    Option{"use-local-env", "use-local-env", Meaning::ignored},
    Option{"keep", "keep", Meaning::ignored},
    Option{"save-temps", "save-temps", Meaning::ignored},
    Option{"use_fast_math", "use_fast_math", Meaning::ignored},
    Option{"extra-device-vectorization", "extra-device-vectorization", Meaning::ignored},
    Option{"expt-relaxed-constexpr", "expt-relaxed-constexpr", Meaning::ignored},
    Option{"expt-extended-lambda", "expt-extended-lambda", Meaning::ignored},
    Option{"extended-lambda", "extended-lambda", Meaning::ignored},
    Option{"forward-unknown-to-host-compiler", "forward-unknown-to-host-compiler", Meaning::ignored},
    Option{"forward-unknown-to-host-linker", "forward-unknown-to-host-linker", Meaning::ignored},
    Option{"allow-unsupported-compiler", "allow-unsupported-compiler", Meaning::ignored},
    Option{"disable-warnings", "w", Meaning::ignored},
    Option{"source-in-ptx", "src-in-ptx", Meaning::ignored},
    Option{"restrict", "restrict", Meaning::ignored},
    Option{"resource-usage", "res-usage", Meaning::ignored},
    Option{"display-error-number", "err-no", Meaning::ignored},
    Option{"no-display-error-number", "no-err-no", Meaning::ignored},
    Option{"dlink-time-opt", "dlto", Meaning::ignored},
    Option{"no-compress", "no-compress", Meaning::ignored},
    Option{"no-align-double", "no-align-double", Meaning::ignored},
    Option{"Wno-deprecated-gpu-targets", "Wno-deprecated-gpu-targets", Meaning::ignored},
    Option{"Wno-deprecated-declarations", "Wno-deprecated-declarations", Meaning::ignored},
    Option{"Wreorder", "Wreorder", Meaning::ignored},
    Option{"Wext-lambda-captures-this", "Wext-lambda-captures-this", Meaning::ignored},
    Option{"ptx", "ptx", Meaning::refused},
    Option{"cubin", "cubin", Meaning::refused},
    Option{"fatbin", "fatbin", Meaning::refused},
    Option{"optix-ir", "optix-ir", Meaning::refused},
    Option{"ltoir", "ltoir", Meaning::refused},
    Option{"cuda", "cuda", Meaning::refused},
    Option{"run", "run", Meaning::refused},
};
// clang-format on

bool takes_value(Meaning meaning) {
  switch (meaning) {
    case Meaning::compile:
    case Meaning::compile_relocatable:
    case Meaning::device_link:
    case Meaning::preprocess:
    case Meaning::dependencies:
    case Meaning::writes_dependencies:
    case Meaning::dependency_flag:
    case Meaning::archive:
    case Meaning::shared:
    case Meaning::version:
    case Meaning::help:
    case Meaning::verbose:
    case Meaning::dry_run:
    case Meaning::debug:
    case Meaning::ignored:
    case Meaning::refused: return false;
    default: return true;
  }
}

/// Options whose value may follow without a space: -Ifolder, -O3, -lm.
bool may_be_joined(const Option& option) {
  return option.short_name.size() == 1 && std::string_view("oIDUlLO").find(option.short_name) != std::string_view::npos;
}

struct Match {
  const Option* option;
  std::optional<std::string> value;
};

std::optional<Match> match(const std::string& argument) {
  const std::string_view text(argument);
  const std::string_view name = text.substr(0, text.find('='));
  const auto value = [&]() -> std::optional<std::string> {
    if (name.size() == text.size()) return std::nullopt;
    return argument.substr(name.size() + 1);
  };
  for (const Option& option : known_options) {
    if (!option.long_name.empty() && name.starts_with("--") && name.substr(2) == option.long_name)
      return Match{&option, value()};
    if (!name.starts_with("--") && name.starts_with("-") && name.substr(1) == option.short_name)
      return Match{&option, value()};
  }
  for (const Option& option : known_options) {
    if (may_be_joined(option) && text.size() > 2 && text[1] == option.short_name[0] && text[0] == '-') {
      return Match{&option, argument.substr(2)};
    }
  }
  return std::nullopt;
}

/// Splits a comma-separated list; a backslash escapes a comma, as in nvcc.
std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',')
      parts.back() += list[++i];
    else if (list[i] == ',')
      parts.emplace_back();
    else if (list[i] != '"')
      parts.back() += list[i];
  }
  std::erase(parts, "");
  return parts;
}

class Parser {
 public:
  NvccCommand command;

  void parse(std::span<const std::string> arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& argument = arguments[i];
      if (argument.starts_with("@")) {
        parse_file(argument.substr(1));
      } else if (!argument.starts_with("-") || argument == "-") {
        command.inputs.push_back(argument);
      } else if (std::optional<Match> found = match(argument)) {
        if (takes_value(found->option->meaning) && !found->value) {
          if (++i == arguments.size()) {
            throw Error(ErrorCode::bad_argument, fmt::format("nvcc: '{}' needs a value", argument));
          }
          found->value = arguments[i];
        }
        apply(found->option->meaning, argument, found->value.value_or(""));
      } else {
        unknown(argument);
      }
    }
  }

 private:
  void parse_file(const std::string& name) {
    const std::optional<std::string> text = base::read_file(name);
    if (!text) throw Error(ErrorCode::io, fmt::format("nvcc: cannot read '{}'", name));
    std::istringstream stream(*text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) {
      std::erase_if(word, [](char c) { return c == '"' || c == '\''; });
      words.push_back(word);
    }
    parse(words);
  }

  void unknown(const std::string& argument) {
    if (argument.starts_with("-Wl,") || argument.starts_with("-rdynamic") || argument.starts_with("-static")) {
      command.link_flags.push_back(argument);
    } else {
      command.options.flags.push_back(argument);
    }
  }

  void apply(Meaning meaning, const std::string& argument, const std::string& value) {
    CompileOptions& compile = command.options;
    switch (meaning) {
      case Meaning::output: command.output = value; break;
      case Meaning::include_path:
        for (const auto& v : split(value)) compile.include_dirs.emplace_back(v);
        break;
      case Meaning::system_path:
        for (const auto& v : split(value)) compile.system_dirs.emplace_back(v);
        break;
      case Meaning::pre_include: compile.flags.insert(compile.flags.end(), {"-include", value}); break;
      case Meaning::define: compile.defines.push_back(value); break;
      case Meaning::undefine: compile.flags.push_back("-U" + value); break;
      case Meaning::library:
        for (const auto& v : split(value)) command.inputs.push_back("-l" + v);
        break;
      case Meaning::library_path:
        for (const auto& v : split(value)) command.inputs.push_back("-L" + v);
        break;
      case Meaning::standard: compile.standard = value; break;
      case Meaning::host_option: host_options(split(value)); break;
      case Meaning::linker_option:
        for (const auto& v : split(value)) command.link_flags.insert(command.link_flags.end(), {"-Xlinker", v});
        break;
      case Meaning::language: language(value); break;
      case Meaning::relocatable: command.relocatable = value == "true"; break;
      case Meaning::options_file:
        for (const auto& v : split(value)) parse_file(v);
        break;
      case Meaning::compile: command.action = NvccAction::compile; break;
      case Meaning::compile_relocatable:
        command.action = NvccAction::compile;
        command.relocatable = true;
        break;
      case Meaning::device_link: command.action = NvccAction::device_link; break;
      case Meaning::preprocess: command.action = NvccAction::preprocess; break;
      case Meaning::dependencies:
        command.action = NvccAction::dependencies;
        command.dependency_flags.push_back(
            "-" +
            std::string(argument.ends_with("MM") || argument.find("nonsystem") != std::string::npos ? "MM" : "M"));
        break;
      case Meaning::writes_dependencies:
        command.writes_dependencies = true;
        command.dependency_flags.push_back(
            argument.ends_with("MMD") || argument.find("nonsystem") != std::string::npos ? "-MMD" : "-MD");
        break;
      case Meaning::dependency_file: command.dependency_file = value; break;
      case Meaning::dependency_target:
        command.dependency_flags.insert(command.dependency_flags.end(), {"-MT", value});
        break;
      case Meaning::dependency_flag: command.dependency_flags.emplace_back("-MP"); break;
      case Meaning::archive: command.action = NvccAction::archive; break;
      case Meaning::shared: command.link_flags.emplace_back("-shared"); break;
      case Meaning::version: command.action = NvccAction::version; break;
      case Meaning::help: command.action = NvccAction::help; break;
      case Meaning::verbose: command.verbose = true; break;
      case Meaning::dry_run: command.dry_run = command.verbose = true; break;
      case Meaning::default_stream:
        if (value == "per-thread") compile.defines.emplace_back("CUDA_API_PER_THREAD_DEFAULT_STREAM=1");
        break;
      case Meaning::debug:
      case Meaning::ignored:
      case Meaning::ignored_value: break;
      case Meaning::refused:
        throw Error(ErrorCode::unsupported,
                    fmt::format("nvcc: {}: the executor builds programs, not device code", argument));
    }
  }

  /// Sorts options for the host compiler; some of them concern linking too.
  void host_options(const std::vector<std::string>& values) {
    for (const std::string& value : values) {
      if (value.starts_with("-Wl,") || value == "-rdynamic" || value == "-static-libstdc++" ||
          value == "-static-libgcc") {
        command.link_flags.push_back(value);
        continue;
      }
      if (value.starts_with("-std=")) {
        command.options.standard = value.substr(5);
        continue;
      }
      command.options.flags.push_back(value);
      if (value == "-fopenmp" || value == "-pthread") command.link_flags.push_back(value);
    }
  }

  void language(const std::string& value) {
    if (value == "cu")
      command.options.all_cuda = true;
    else if (value != "c++" && value != "c")
      throw Error(ErrorCode::unsupported, fmt::format("nvcc: -x {}: expected cu, c or c++", value));
  }
};

}  // namespace

NvccCommand parse_nvcc(std::span<const std::string> arguments) {
  Parser parser;
  parser.parse(arguments);
  return std::move(parser.command);
}

}  // namespace rafter::simt::build
