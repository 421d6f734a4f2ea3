// The command line. Only this file and the headers of this folder include CLI11, which is slow to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "base/files.hpp"
#include "base/messages.hpp"
#include "base/outputs.hpp"
#include "base/terminal.hpp"
#include "cli/options.hpp"
#include "cli/parse/executor.hpp"
#include "cli/parse/journal.hpp"
#include "cli/parse/pages.hpp"
#include "cli/parse/solvers.hpp"
#include "cli/parse/workbench.hpp"
#include "cli/tool.hpp"

namespace rafter::cli {

namespace {

constexpr const char* examples = R"(
Examples:
  rafter run                     all workloads at their standard sizes, on the best device
  rafter run sum --size 2^27     one workload, one size
  rafter run rows --size 1000000x10,10x1e7 --rungs plain,by_shape --json rows.json
  rafter run sum --n 2^16,2^20,2^24 --plot sum.svg         a sweep: one table, and a plot
  rafter bench my.cu --kernel mine --reference naive ...   your own kernel: right, and how fast?
  rafter report results.json --out report.html             a self-contained HTML page
  rafter compare before.json after.json                    what became faster, slower, or wrong
  rafter journal start --target 5x                         a log of every step: what, why, how fast
  rafter show sum published      a rung's idea and its source
  rafter new workload smooth     a template for a workload of your own; rafter run --load smooth
  rafter device                  the devices of this machine and their measured roofs
  rafter check program.cu        run a CUDA program without a GPU, under checkers
  rafter explain program.cu      what limits its kernels, and what to try next
  rafter try sum my.cu           is your kernel right, and where on the ladder is it?
  rafter solve heat --grid 256 --steps 1000 --out run1     diffusion, with fields for ParaView
  rafter classify --weights lenet.bin --images x.npy       LeNet: classes, and times of its layers
  rafter score --model m.safetensors --input windows.npy   which windows of spectra are anomalies?
  rafter forces molecules.xyz --model m.safetensors        energies and forces of molecules

In a checkout, ./rafter builds first; ./rafter test builds and runs the tests.
'rafter help COMMAND' is 'rafter COMMAND --help'; 'rafter completion bash', zsh or fish prints completion
for that shell; 'rafter man FOLDER' writes man pages.
Exit code: 0 good, 1 the answer is no (a wrong result), 2 it could not run.)";

Finished refuse(const std::string& message, const std::string& where) {
  fmt::print(stderr, "rafter: {}\n        see rafter {}--help\n", message, where);
  return {exit_failed};
}

/// The names of a subcommand and its parents, each followed by a space.
std::string path_of(const CLI::App& app) {
  return app.get_parent() != nullptr ? path_of(*app.get_parent()) + app.get_name() + " " : "";
}

/// The innermost subcommand on the command line, or the tool itself.
CLI::App& chosen_of(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_of(*chosen.front());
}

constexpr std::size_t help_column = 28;  // of the descriptions

/// Fits a help text to a narrow terminal: descriptions are wrapped in their column, examples are not wrapped.
std::string fitted(const std::string& help) {
  std::istringstream lines(help);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const bool has_columns = line.size() > help_column && line[help_column - 1] == ' ' && line[help_column] != ' ';
    if (line.starts_with("  ") && has_columns) {
      text += base::wrapped(line.substr(help_column), line.substr(0, help_column), std::string(help_column, ' '));
    } else if (line.starts_with(' ') || line.empty()) {
      text += line + "\n";
    } else {
      text += base::wrapped(line, "", "  ");
    }
  }
  return text;
}

void prepare(CLI::App& app) {
  app.allow_extras();
  app.get_formatter()->column_width(help_column);
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    if (sub->get_footer() == app.get_footer()) sub->footer("");
    prepare(*sub);
  }
}

/// Refuses words that are neither options nor arguments: a misspelt subcommand or option.
Finished refuse_extras(CLI::App& app, const std::vector<std::string>& extras) {
  const bool is_option = extras.front().starts_with("-");
  std::vector<std::string> known;
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!is_option) known.push_back(sub->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (is_option && !option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  }
  const std::string where = path_of(app);
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (known.empty()) return refuse(fmt::format("'{}' is one argument too many", word), where);
  const char* named = app.get_name() == "solve" ? "equation" : "subcommand";
  return refuse(base::unknown_name(is_option ? "option" : named, word, known), where);
}

/// Turns options that `run` does not have into settings. They are parameters of a workload, which only the programs
/// with workloads know: `--batch 32,64` becomes `--set=--batch=32,64`; the dashes mark it as an option.
std::vector<std::string> parameters_as_settings(const CLI::App& run, const std::vector<std::string>& words) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    if (!name.starts_with("--") || name.size() == 2 || run.get_option_no_throw(name) != nullptr) {
      result.push_back(words[i]);
      continue;
    }
    std::string setting = "--set=" + words[i];
    if (name == words[i] && i + 1 < words.size() && !words[i + 1].starts_with("--")) setting += "=" + words[++i];
    result.push_back(setting);
  }
  return result;
}

/// Adds the options of the file that --config names: lines "option = value", in which # begins a comment. Options on
/// the command line win. Throws Error (io, bad_argument).
std::vector<std::string> with_config(std::vector<std::string> words) {
  const std::string option = "--config";
  std::string file;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == option && i + 1 < words.size()) file = words[i + 1];
    if (words[i].starts_with(option + "=")) file = words[i].substr(option.size() + 1);
  }
  if (file.empty()) return words;
  const auto text = base::read_file(file);
  if (!text) throw Error(ErrorCode::io, fmt::format("cannot read '{}'", file));
  const auto trimmed = [](const std::string& part) {
    const std::size_t first = part.find_first_not_of(" \t\r");
    return first == std::string::npos ? "" : part.substr(first, part.find_last_not_of(" \t\r") - first + 1);
  };
  const std::vector<std::string> given = words;
  std::istringstream lines(*text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    const std::size_t sign = line.find('=');
    const std::string name = "--" + trimmed(line.substr(0, sign)),
                      value = sign == std::string::npos ? "" : trimmed(line.substr(sign + 1));
    if (value.empty())
      throw Error(ErrorCode::bad_argument, fmt::format("'{}' line {}: expected OPTION = VALUE", file, number));
    const bool is_given = std::any_of(given.begin(), given.end(), [&](const std::string& word) {
      return word == name || word.starts_with(name + "=");
    });
    if (!is_given) words.push_back(value == "true" ? name : name + "=" + value);
  }
  return words;
}

/// Marks the words of `compare --builds` that are for the runs of the builds.
std::vector<std::string> words_for_run(const CLI::App& compare, const std::vector<std::string>& words) {
  std::vector<std::string> result{words.front()};
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    const CLI::Option* own = name.starts_with("-") ? compare.get_option_no_throw(name) : nullptr;
    if (own == nullptr) {
      result.push_back("--run-word=" + words[i]);
      continue;
    }
    result.push_back(words[i]);
    const std::size_t n_values = name == words[i] ? static_cast<std::size_t>(own->get_expected_max()) : 0;
    for (std::size_t k = 0; k < n_values && i + 1 < words.size(); ++k) result.push_back(words[++i]);
  }
  return result;
}

/// Whether a word is a source or the path of a program; names of workloads have no dots and slashes.
bool is_file_of_program(const std::string& word) { return word.find_first_of("./") != std::string::npos; }

/// Gives files and compiler options to the commands that take them, and the words after -- to the program. Returns
/// whether the command takes them.
struct TakeCompilerWords {
  std::vector<std::string> words, program_arguments;

  bool operator()(ExecutorOptions& options) const { return take(options.request); }
  bool operator()(ExplainOptions& options) const { return take(options.request); }
  bool operator()(TuneOptions& options) const { return (*this)(options.bench); }
  bool operator()(BenchOptions& options) const {
    options.kernels.build = words;
    options.program_arguments = program_arguments;
    return true;
  }
  bool operator()(auto&) const { return false; }

 private:
  bool take(simt::command::ProgramRequest& request) const {
    request.build = words;
    request.program_arguments = program_arguments;
    return true;
  }
};

/// The subcommands, each with the struct that its options fill.
class Subcommands {
 public:
  explicit Subcommands(CLI::App& app) : app_(app) {}

  /// Adds the subcommand that `declare` declares and returns.
  template <class Options>
  void add(CLI::App* (*declare)(CLI::App&, Options&)) {
    auto options = std::make_shared<Options>();
    performed_.emplace_back(declare(app_, *options), [options]() -> Command { return *options; });
  }

  /// The options of a subcommand; nothing for one that only has subcommands.
  std::optional<Command> chosen(const CLI::App& sub) const {
    for (const auto& [candidate, options] : performed_) {
      if (candidate == &sub) return options();
    }
    return std::nullopt;
  }

 private:
  CLI::App& app_;
  std::vector<std::pair<const CLI::App*, std::function<Command()>>> performed_{};
};

bool is_subcommand(const CLI::App& app, const std::string& word) {
  const auto subs = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
  return !subs.empty();
}

Finished print_completion(const CLI::App& app, const std::string& shell) {
  const std::string text = completion_for(app, shell);
  if (text.empty())
    return refuse(base::unknown_name("shell", shell, std::vector<std::string>{"bash", "zsh", "fish"}), "");
  fmt::print("{}", text);
  return {exit_good};
}

/// Prints the man page of the tool, or writes one page for each command to a folder.
Finished print_man_pages(CLI::App& app, const std::vector<std::string>& words) {
  if (words.size() == 1) {
    fmt::print("{}", man_page(app, "", app.help()));
    return {exit_good};
  }
  const std::filesystem::path folder = words[1];
  std::filesystem::create_directories(folder);
  const auto write = [&](const CLI::App& command, const std::string& name) {
    std::string file = name.empty() ? "rafter" : "rafter-" + name;
    std::replace(file.begin(), file.end(), ' ', '-');
    base::write_file(folder / (file + ".1"), man_page(command, name, command.help()));
  };
  write(app, "");
  for (const NamedCommand& command : all_commands(app)) write(*command.app, command.words);
  return {exit_good};
}

/// Whether the word after --json or --csv names the output where that may be left out, and not a source or workload.
bool is_name_of_output(const std::string& word, const std::string& format) {
  return base::names_stdout(word) || word.starts_with("/dev/") || word.ends_with("." + format.substr(2));
}

/// Gives --json and --csv one meaning in all commands: they name the output, and "-", which may be left out, is the
/// standard output.
std::vector<std::string> with_named_outputs(const CLI::App& app, std::vector<std::string> words) {
  const CLI::App* chosen = &app;
  for (const std::string& word : words) {
    if (!is_subcommand(*chosen, word)) break;
    chosen = chosen->get_subcommand(word);
  }
  for (const std::string format : {"--json", "--csv"}) {
    const CLI::Option* option = chosen->get_option_no_throw(format);
    if (option == nullptr) continue;
    const auto at = std::find(words.begin(), words.end(), format);
    if (at == words.end()) continue;
    const bool is_named = at + 1 != words.end() && !at[1].starts_with("--") &&
                          (option->get_type_name() != optional_file || is_name_of_output(at[1], format));
    if (!is_named) words.insert(at + 1, "-");
  }
  return words;
}

}  // namespace

bool ExplainOptions::is_of_workload() const {
  const auto is_name = [](const std::string& word) { return !word.starts_with("-") && !is_file_of_program(word); };
  return request.kernel.empty() && !request.build.empty() && is_name(request.build.front());
}

Command parse(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "nvcc") return NvccOptions{{argv + 2, argv + argc}};
  if (argc == 3 && std::string_view(argv[1]) == "try-child") return TryChildOptions{argv[2]};
  if (argc == 3 && std::string_view(argv[1]) == "judge-child") return JudgeChildOptions{argv[2]};
  std::vector<std::string> after_dashes;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    after_dashes.assign(argv + i + 1, argv + argc);
    argc = i;
  }
  CLI::App app{"Rafter takes GPU kernels to the roofline, with or without a GPU.", "rafter"};
  app.footer(examples);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(0, 1);
  Subcommands subcommands(app);
  subcommands.add(add_run);
  subcommands.add(add_bench);
  subcommands.add(add_tune);
  subcommands.add(add_plot);
  subcommands.add(add_report);
  subcommands.add(add_compare);
  subcommands.add(add_verify);
  subcommands.add(add_list);
  subcommands.add(add_device);
  subcommands.add(add_show);
  subcommands.add(add_new);
  subcommands.add(add_exec);
  subcommands.add(add_check);
  subcommands.add(add_profile);
  subcommands.add(add_explain);
  subcommands.add(add_try);
  subcommands.add(add_judge);
  subcommands.add(add_solve);
  subcommands.add(add_classify);
  subcommands.add(add_score);
  subcommands.add(add_forces);
  subcommands.add(add_journal_start);
  subcommands.add(add_journal_show);
  subcommands.add(add_journal_export);
  subcommands.add(add_journal_note);
  subcommands.add(add_journal_stop);
  subcommands.add(add_journal_add);
  prepare(app);

  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  const bool asks_for_help = words.size() == 2 && (words[1] == "--help" || words[1] == "-h");
  if (asks_for_help && (words[0] == "completion" || words[0] == "man" || words[0] == "help")) words = {"--help"};
  if (words.size() == 2 && words[0] == "completion") return print_completion(app, words[1]);
  if (words.size() <= 2 && !words.empty() && words[0] == "man") return print_man_pages(app, words);
  if (!words.empty() && words.front() == "help") {  // help COMMAND is COMMAND --help
    words.erase(words.begin());
    if (!words.empty() && !is_subcommand(app, words.front())) return refuse_extras(app, words);
    words.emplace_back("--help");
  }
  if (words.size() == 2 && words[1] == "--version" && is_subcommand(app, words[0])) words = {"--version"};
  if (words.size() > 1 && words.front() == "explain" && !is_file_of_program(words[1]))
    words = parameters_as_settings(*app.get_subcommand("explain"), words);
  if (!words.empty() && words.front() == "run") words = parameters_as_settings(*app.get_subcommand("run"), words);
  if (words.size() > 1 && words[0] == "solve" && words[1] == "heat") words = with_config(std::move(words));
  words = with_named_outputs(app, std::move(words));
  // No option is called -m, because nvcc's -maxrregcount=32 would be taken for it.
  std::replace(words.begin(), words.end(), std::string("-m"), std::string("--message"));
  const bool has_builds = std::find(words.begin(), words.end(), "--builds") != words.end();
  if (has_builds && words.front() == "compare") words = words_for_run(*app.get_subcommand("compare"), words);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& success) {  // --help and --version
    std::ostringstream text;
    const int code = app.exit(success, text, text);
    fmt::print("{}", fitted(text.str()));
    return Finished{code};
  } catch (const CLI::ParseError& error) {
    return refuse(error.what(), path_of(chosen_of(app)));
  }

  CLI::App& chosen = chosen_of(app);
  for (CLI::App* parent = chosen.get_parent(); parent != nullptr; parent = parent->get_parent()) {
    if (parent->remaining_size() > 0) return refuse_extras(*parent, parent->remaining());  // 'helf run'
  }
  for (const CLI::Option* option : chosen.get_options()) {
    const auto& values = option->results();
    if (std::find(values.begin(), values.end(), "") != values.end())
      return refuse(option->get_name() + " was given without a value", path_of(chosen));
  }
  std::optional<Command> command = subcommands.chosen(chosen);
  if (command && std::visit(TakeCompilerWords{chosen.remaining(), after_dashes}, *command)) return *command;
  if (chosen.remaining_size() > 0) return refuse_extras(chosen, chosen.remaining());
  if (command) return *command;
  fmt::print("{}", fitted(chosen.help()));
  return Finished{exit_good};
}

}  // namespace rafter::cli
