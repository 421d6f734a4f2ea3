// What is generated from the command line itself: completion for shells, man pages, and the facts of this build. Only
// for parse.cpp.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rafter/version.hpp"

namespace rafter::cli {

/// A subcommand without subcommands of its own, and the words that lead to it: "journal start".
struct NamedCommand {
  std::string words;
  const CLI::App* app;
};

inline void add_commands(const CLI::App& app, const std::string& words, std::vector<NamedCommand>& all) {
  const auto subs = app.get_subcommands([](const CLI::App*) { return true; });
  if (subs.empty()) all.push_back({words, &app});
  for (const CLI::App* sub : subs)
    add_commands(*sub, words.empty() ? sub->get_name() : words + " " + sub->get_name(), all);
}

/// The commands that a user types, in the order of `rafter --help`.
inline std::vector<NamedCommand> all_commands(const CLI::App& app) {
  std::vector<NamedCommand> all;
  add_commands(app, "", all);
  return all;
}

/// The long options of a command: "--json".
inline std::vector<std::string> options_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// ---- Completion ----

/// Returns the first words of all commands, and for each command with subcommands their names.
inline std::string names_of(const CLI::App& app) {
  std::string names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    names += (names.empty() ? "" : " ") + sub->get_name();
  return names;
}

/// One `case` pattern for each command, with its options or subcommands: for bash, and zsh through bashcompinit.
inline std::string completion_for_bash(const CLI::App& app) {
  std::string cases;
  const auto add = [&](const std::string& words, const std::string& names) {
    cases += fmt::format("    '{}') words='{}' ;;\n", words, names);
  };
  add("", names_of(app) + " help --help --version");
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    if (const std::string names = names_of(*sub); !names.empty()) add(sub->get_name(), names);
  }
  for (const NamedCommand& command : all_commands(app))
    add(command.words, fmt::format("{}", fmt::join(options_of(*command.app), " ")));
  return "# Completion of rafter for bash; source it, or save it as\n"
         "# ~/.local/share/bash-completion/completions/rafter\n"
         "_rafter() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} typed= words= i\n"
         "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
         "    case ${COMP_WORDS[i]} in -*) break ;; esac\n"
         "    typed+=${typed:+ }${COMP_WORDS[i]}\n"
         "    case $typed in journal|new|solve) ;; *) break ;; esac\n"
         "  done\n"
         "  [ \"$typed\" != help ] || typed=\n"
         "  case $typed in\n" +
         cases +
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o default -o bashdefault -F _rafter rafter\n";
}

inline std::string quoted_for_fish(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return quoted + "'";
}

inline std::string completion_for_fish(const CLI::App& app) {
  std::string text = "# Completion of rafter for fish; save it as ~/.config/fish/completions/rafter.fish\n";
  const auto all_subs = [](const CLI::App& parent) {
    return parent.get_subcommands([](const CLI::App*) { return true; });
  };
  const std::string seen = "__fish_seen_subcommand_from ";
  std::string parents;  // commands that have subcommands
  for (const CLI::App* sub : all_subs(app)) {
    if (!all_subs(*sub).empty()) parents += " " + sub->get_name();
  }
  const auto add_names = [&](const CLI::App& parent, const std::string& condition) {
    for (const CLI::App* sub : all_subs(parent))
      text += fmt::format("complete -c rafter -n '{}' -a {} -d {}\n", condition, sub->get_name(),
                          quoted_for_fish(sub->get_description()));
  };
  add_names(app, "__fish_use_subcommand");
  for (const CLI::App* sub : all_subs(app))
    add_names(*sub, seen + sub->get_name() + "; and not " + seen + names_of(*sub));
  for (const NamedCommand& command : all_commands(app)) {
    const std::size_t space = command.words.find(' ');
    const std::string condition =
        space == std::string::npos
            ? seen + command.words + "; and not " + seen + parents.substr(1)
            : seen + command.words.substr(0, space) + "; and " + seen + command.words.substr(space + 1);
    for (const CLI::Option* option : command.app->get_options()) {
      for (const std::string& name : option->get_lnames())
        text += fmt::format("complete -c rafter -n '{}' -l {} -d {}\n", condition, name,
                            quoted_for_fish(option->get_description()));
    }
  }
  return text;
}

/// The completion script for a shell. Empty for an unknown shell.
inline std::string completion_for(const CLI::App& app, std::string_view shell) {
  if (shell == "bash") return completion_for_bash(app);
  if (shell == "zsh") {
    return "#compdef rafter\n# Completion of rafter for zsh; save it as _rafter in a folder of $fpath.\n"
           "autoload -U +X bashcompinit && bashcompinit\n" +
           completion_for_bash(app) +
           "[ \"$funcstack[1]\" = _rafter ] && _bash_complete -o default -o bashdefault -F _rafter\n";  // the first
                                                                                                        // time
  }
  return shell == "fish" ? completion_for_fish(app) : "";
}

// ---- Man pages ----

/// Returns a line of a man page: a leading dot or quote would be a request, and a backslash an escape.
inline std::string roff_line(std::string_view line) {
  std::string text = !line.empty() && (line.front() == '.' || line.front() == '\'') ? "\\&" : "";
  for (const char c : line) text += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return text + "\n";
}

/// Returns the man page of a command, or of the tool for an empty `words`, from its help text.
inline std::string man_page(const CLI::App& app, const std::string& words, const std::string& help) {
  std::string name = words.empty() ? "rafter" : "rafter-" + words;
  std::replace(name.begin(), name.end(), ' ', '-');
  std::string text = fmt::format(".TH {} 1 \"\" \"rafter {}\" \"User commands\"\n.SH NAME\n", name, version);
  text += roff_line(name + " - " + app.get_description()) + ".SH DESCRIPTION\n.nf\n";
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = std::min(help.find('\n', at), help.size());
    text += roff_line(std::string_view(help).substr(at, end - at));
    at = end + 1;
  }
  return text + ".fi\n";
}

// ---- The build ----

/// Returns the version and the facts about this build that a report of a fault needs.
inline std::string version_text() {
#ifdef __clang__
  const std::string compiler = "Clang " __clang_version__;
#else
  const std::string compiler = "g++ " __VERSION__;
#endif
  return fmt::format("rafter {}\ncompiler: {}\nCUDA: {}\nCPU: {}, instruction sets {}", version, compiler,
                     RAFTER_BUILT_CUDA, RAFTER_BUILT_PROCESSOR, RAFTER_BUILT_LEVELS);
}

}  // namespace rafter::cli
