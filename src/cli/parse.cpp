// The only file that includes CLI11, which is slow to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "cli/options.hpp"
#include "cli/subcommands.hpp"
#include "lab/suggest.hpp"
#include "rafter/version.hpp"

namespace rafter::cli {

namespace {

constexpr const char* examples = R"(
Examples:
  rafter run                     all workloads at their usual sizes, on the best device here
  rafter run sum --size 2^27     one workload, one size
  rafter run rows --size 1000000x10,10x1e7 --rungs plain,by_shape --json rows.json
  rafter show sum last_block     a rung's idea and its source
  rafter device                  what is here, and its measured roofs
  rafter check program.cu        run a CUDA program without a GPU, under checkers
  rafter try sum my.cu           is your own kernel right, and where on the ladder does it stand?

In a checkout, ./rafter builds first; ./rafter test builds and runs the tests.
Exit code: 0 good, 1 the answer is no (a wrong result), 2 it could not run.)";

void add_run(CLI::App& app, RunOptions& o) {
  CLI::App* sub = app.add_subcommand("run", "Verify and time the rungs of workloads, against the roof and the peers");
  sub->add_option("workload", o.workloads, "Workloads (default: all); see 'rafter list'");
  sub->add_option("--device", o.device, "cpu, cuda, or simt: checks, no times (default: the best one present)");
  sub->add_option("--size", o.size, "Sizes, comma-separated: 2^27 or 1e7; several extents as 1000x300");
  sub->add_option("--set", o.settings, "Any parameter: NAME=VALUE (repeatable); see 'rafter list WORKLOAD'");
  sub->add_option("--rungs", o.rungs, "Only these rungs, comma-separated")->delimiter(',');
  sub->add_option("--json", o.json_path, "Write the results here ('-': standard output)");
  sub->add_option("--regime", o.regime, "What is timed: cold (caches flushed), warm, graph, wall")
      ->check(CLI::IsMember({"cold", "warm", "graph", "wall"}))
      ->capture_default_str();
  sub->add_flag("--regimes", o.all_regimes, "Show the other regimes too");
  sub->add_flag("--quick", o.quick, "Small sizes and short timing: a look, not a result");
  sub->add_option("--seed", o.seed, "Seed of the inputs, to repeat a run (default: a fresh one, printed)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all this process may use)");
}

void add_list(CLI::App& app, ListOptions& o) {
  CLI::App* sub = app.add_subcommand("list", "The workloads, their parameters and their ladders");
  sub->add_option("workload", o.workload, "Only this one, with its parameters");
  sub->add_flag("--json", o.json, "As JSON");
}

void add_device(CLI::App& app, DeviceOptions& o) {
  CLI::App* sub = app.add_subcommand("device", "What is here, and its measured roofs");
  sub->add_flag("--remeasure", o.remeasure, "Measure the roofs again instead of using the cached ones");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all this process may use)");
  sub->add_flag("--json", o.json, "As JSON");
}

void add_show(CLI::App& app, ShowOptions& o) {
  CLI::App* sub = app.add_subcommand("show", "A ladder's ideas, or a rung's idea and its source");
  sub->add_option("workload", o.workload, "The workload")->required();
  sub->add_option("rung", o.rung, "The rung; without it, the whole ladder");
  sub->add_option("--device", o.device, "cpu or cuda, for a name that both have");
  sub->add_flag("--json", o.json, "As JSON");
}

// What the three subcommands of the executor share; words that are left are nvcc's: files, -I, -D, -std=, -l, ...
void add_executor(CLI::App& app, ExecutorOptions& o, const char* name, const char* what,
                  ExecutorOptions::Action action) {
  CLI::App* sub = app.add_subcommand(name, what);
  sub->callback([&o, action] { o.action = action; });
  sub->add_option("--schedule", o.schedule, "Permute warps and blocks by this seed (default: the natural order)");
  sub->add_option("--time-limit", o.time_limit_s, "Seconds without progress until a launch is given up");
  if (action == ExecutorOptions::Action::exec) {
    sub->add_option("--threads", o.n_threads, "OS threads for blocks (default: all; one where blocks may communicate)");
  } else {
    sub->add_flag("--json", o.json, "As JSON; what the program prints goes to the standard error");
  }
  if (action == ExecutorOptions::Action::check) sub->add_flag("--leaks", o.leaks, "Report memory that is never freed");
  if (action != ExecutorOptions::Action::profile) {
    sub->add_flag("--lockstep", o.in_step, "Lanes take turns at every access: slow, for code that counts on it");
  }
  sub->add_option("--nvcc-wrapper", o.nvcc_wrapper, "Make a folder whose bin/nvcc builds for this, and stop");
  sub->add_option("--kernel", o.kernel, "Run this kernel alone: NAME or ns::NAME<float>");
  sub->add_option("--grid", o.grid, "Its blocks: X[,Y,Z]");
  sub->add_option("--block", o.block, "Its threads per block: X[,Y,Z]");
  sub->add_option("--shared", o.shared, "Its dynamic shared memory, in bytes");
  sub->add_option("--arg", o.arguments, "An argument: in=f32[99]:random, out=f32[4,5]:0, n=i64:9, a=f32[8]:a.npy")
      ->allow_extra_args(false);
  sub->footer(
      fmt::format("\nUse:\n  rafter {0} FILE.cu... [-I DIR] [-D NAME] [-std=c++20] [-l LIB] [OPTIONS] [-- ARGUMENTS]\n"
                  "  rafter {0} FILE.cu --kernel NAME --grid X[,Y,Z] --block X[,Y,Z] --arg NAME=... [OPTIONS]\n"
                  "  rafter {0} PROGRAM [OPTIONS] [-- ARGUMENTS]       (a program that the stand-in nvcc built)",
                  name));
  sub->add_option("--save", o.saves, "Save an array afterwards: out=FILE.npy")->allow_extra_args(false);
}

void add_try(CLI::App& app, TryOptions& o) {
  CLI::App* sub = app.add_subcommand("try", "Hold a kernel of yours against an exercise: is it right, how fast is it");
  sub->add_option("exercise", o.exercise, "A workload or an exercise's kernel; see 'rafter try --list'");
  sub->add_option("file", o.file, "Your CUDA source; its main, other kernels and host code do not matter");
  sub->add_option("--kernel", o.kernel, "Your kernel's name where it is another, or which exercise of a workload");
  sub->add_option("--block", o.block, "Threads per block, X[,Y]; the grid follows (default: the exercise's)");
  sub->add_option("--time-limit", o.time_limit_s, "Seconds until a launch is given up")->capture_default_str();
  sub->add_flag("--list", o.list, "The exercises and their signatures");
  sub->add_flag("--starter", o.starter, "Print a file to begin from");
  sub->add_flag("--json", o.json, "As JSON");
  sub->footer(R"(
Use:
  rafter try --list
  rafter try sum_atomic --starter > my.cu        a file with the signature and what to compute
  rafter try sum_atomic my.cu                    is it right, clean, and how fast?
  rafter try sum my.cu                           every exercise of sum whose kernel is in the file
  rafter try sum_1024 my.cu --kernel tree --block 256

Without a GPU the kernel runs on the executor, under all checkers, on the course's sizes and on
awkward ones. With a GPU it is then timed there, beside the ladder's rungs and the peers.
Exit code: 0 right, 1 wrong or a hazard was found, 2 it could not be tried.)");
}

Finished refuse(const std::string& complaint, const std::string& where) {
  fmt::print(stderr, "rafter: {}\n        see rafter {}--help\n", complaint, where);
  return {exit_failed};
}

/// Words that no option took: a subcommand or an option misspelt.
Finished refuse_extras(CLI::App& app, const std::vector<std::string>& extras) {
  const bool is_option = extras.front().starts_with("-");
  std::vector<std::string> known;
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    if (!is_option && app.get_parent() == nullptr) known.push_back(sub->get_name());
  }
  for (const CLI::Option* option : app.get_options()) {
    if (is_option && !option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  }
  const std::string where = app.get_parent() != nullptr ? app.get_name() + " " : "";
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (known.empty()) return refuse(fmt::format("'{}' is one argument too many", word), where);
  return refuse(lab::unknown_name(is_option ? "option" : "subcommand", word, known), where);
}

}  // namespace

Command parse(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "nvcc") return NvccOptions{{argv + 2, argv + argc}};
  if (argc == 3 && std::string_view(argv[1]) == "try-child") return TryChildOptions{argv[2]};
  std::vector<std::string> after_dashes;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) != "--") continue;
    after_dashes.assign(argv + i + 1, argv + argc);
    argc = i;
  }
  CLI::App app{"Rafter takes GPU kernels to the roofline, with or without a GPU.", "rafter"};
  app.footer(examples);
  app.set_version_flag("--version", std::string("rafter ") + version);
  app.require_subcommand(0, 1);
  app.get_formatter()->column_width(28);
  RunOptions run_options;
  ListOptions list_options;
  DeviceOptions device_options;
  ShowOptions show_options;
  add_run(app, run_options);
  add_list(app, list_options);
  add_device(app, device_options);
  add_show(app, show_options);
  ExecutorOptions executor_options;
  add_executor(app, executor_options, "exec", "Run a CUDA program without a GPU", ExecutorOptions::Action::exec);
  add_executor(app, executor_options, "check", "Run it under checkers: races, bad accesses, broken barriers",
               ExecutorOptions::Action::check);
  add_executor(app, executor_options, "profile", "Run it and count: sectors, bank conflicts, atomics, divergence",
               ExecutorOptions::Action::profile);
  TryOptions try_options;
  add_try(app, try_options);
  app.allow_extras();
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    sub->allow_extras();
    if (sub->get_footer() == app.get_footer()) sub->footer("");
    sub->get_formatter()->column_width(28);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return Finished{app.exit(success)};
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    return refuse(error.what(), chosen.empty() ? "" : chosen.front()->get_name() + " ");
  }

  const auto chosen = app.get_subcommands();
  if (chosen.empty()) {
    if (app.remaining_size() > 0) return refuse_extras(app, app.remaining());
    fmt::print("{}", app.help());
    return Finished{exit_good};
  }
  const std::string name = chosen.front()->get_name();
  if (name == "exec" || name == "check" || name == "profile") {
    executor_options.build = chosen.front()->remaining();
    executor_options.program = after_dashes;
    return executor_options;
  }
  if (chosen.front()->remaining_size() > 0) return refuse_extras(*chosen.front(), chosen.front()->remaining());
  if (name == "run") return run_options;
  if (name == "list") return list_options;
  if (name == "device") return device_options;
  if (name == "try") return try_options;
  return show_options;
}

}  // namespace rafter::cli
