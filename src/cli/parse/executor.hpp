// The subcommands of the executor, explain and try. Only for parse.cpp.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "cli/parse/journal.hpp"
#include "cli/parse/values.hpp"

namespace rafter::cli {

inline constexpr const char* json_beside_program =
    "As JSON, here; on the standard output, what the program prints goes to the standard error";

// The options that exec, check and profile share. Other words are files and options for nvcc: -I, -D, -std=, -l, ...
inline CLI::App* add_executor(CLI::App& app, ExecutorOptions& o, const char* name, const char* what,
                              simt::command::Action action) {
  simt::command::ProgramRequest& r = o.request;
  using simt::command::Action;
  CLI::App* sub = app.add_subcommand(name, what);
  r.action = action;
  sub->add_option("--schedule", r.schedule, "Permute warps and blocks by this seed (default: the natural order)");
  sub->add_option("--time-limit", r.time_limit_s, "Seconds until the program, or a launch, is stopped")
      ->check(above_zero());
  sub->add_flag("--stdin", r.reads_terminal, "Let the program read the terminal; otherwise only a pipe or a file");
  if (action != Action::profile) {
    sub->add_option("--threads", r.n_threads, "OS threads for blocks (default: all; one where blocks may communicate)")
        ->check(from_one());
  }
  if (action != Action::exec) {
    add_json(*sub, o.formats, json_beside_program);
    if (action == Action::profile)
      sub->add_option("--csv", o.formats.csv, "The same as CSV: a line for each line of source")
          ->type_name(optional_file);
  }
  if (action == Action::check) {
    sub->add_flag("--leaks", r.leaks, "Report memory that is never freed");
    sub->add_flag("--isolate", r.isolate, "Put allocations far apart, and never reuse freed memory");
    sub->add_flag("--strict", r.strict, "Report behaviour that works on today's GPUs but is not guaranteed");
    sub->add_option_function<std::string>(
           "--bounds", [&r](const std::string&) { r.checks_members = true; },
           "members: check the bounds of rows and struct members, too")
        ->check(CLI::IsMember({"members"}))
        ->type_name("WHAT");
    sub->add_option("--schedules", r.n_schedules, "Also run it in the orders of the seeds 1 to N")->check(from_one());
    sub->add_option("--sarif", o.sarif, "Write the findings here as SARIF 2.1.0");
    sub->add_option("--junit", o.junit, "Write them here as JUnit's XML");
    sub->add_option("--suppress", o.suppress, "A file of findings that are accepted: KIND [kernel=] [file=] -- REASON");
    sub->add_option("--fail-on", o.fail_on, "Kinds that make the exit code 1: KIND,...; findings, notes or none");
  }
  if (action != Action::profile) {
    sub->add_flag("--lockstep", r.in_step, "Run lanes in lockstep at every access: slow, for code that relies on it");
  }
  sub->add_flag("--untrusted", r.is_untrusted, "Build and run it in a sandbox: no network, files or other processes");
  sub->add_option("--readable", r.readable, "A file or folder that it may read nevertheless")->allow_extra_args(false);
  sub->add_option("--nvcc-wrapper", o.nvcc_wrapper, "Make a folder whose bin/nvcc builds for this, and stop");
  sub->add_option("--kernel", r.kernel, "Run this kernel alone: NAME or ns::NAME<float>");
  sub->add_option("--set", r.settings, "A size of it: n=1000; then --grid 'ceil(n/256)', --arg in=f32[n]:random")
      ->allow_extra_args(false);
  sub->add_option("--grid", r.grid, "Its blocks: X[,Y,Z]");
  sub->add_option("--block", r.block, "Its threads per block: X[,Y,Z]");
  sub->add_option("--shared", r.shared, "Its dynamic shared memory, in bytes");
  sub->add_option("--arg", r.arguments, "An argument: in=f32[99]:random, out=f32[4,5]:0, n=i64:9, a=f32[8]:a.npy")
      ->allow_extra_args(false);
  sub->footer(
      fmt::format("\nUse:\n  rafter {0} FILE.cu... [-I DIR] [-D NAME] [-std=c++20] [-l LIB] [OPTIONS] [-- ARGUMENTS]\n"
                  "  rafter {0} FILE.cu --kernel NAME --grid X[,Y,Z] --block X[,Y,Z] --arg NAME=... [OPTIONS]\n"
                  "  rafter {0} PROGRAM [OPTIONS] [-- ARGUMENTS]       (a program that the nvcc replacement built)",
                  name));
  sub->add_option("--save", r.saves, "Save an array afterwards: out=FILE.npy")->allow_extra_args(false);
  return sub;
}

inline CLI::App* add_exec(CLI::App& app, ExecutorOptions& o) {
  return add_executor(app, o, "exec", "Run a CUDA program without a GPU", simt::command::Action::exec);
}

inline CLI::App* add_check(CLI::App& app, ExecutorOptions& o) {
  return add_executor(app, o, "check", "Run it under checkers: races, bad accesses, broken barriers",
                      simt::command::Action::check);
}

inline CLI::App* add_profile(CLI::App& app, ExecutorOptions& o) {
  return add_executor(app, o, "profile", "Run it and count: sectors, bank conflicts, atomics, divergence",
                      simt::command::Action::profile);
}

/// Words that are not options are files and options for nvcc, or a workload and a rung.
inline CLI::App* add_explain(CLI::App& app, ExplainOptions& o) {
  CLI::App* sub = app.add_subcommand("explain", "What limits a kernel, what removing that is worth, what to try next");
  simt::command::ProgramRequest& k = o.request;
  k.action = simt::command::Action::profile;
  sub->add_option("--kernel", k.kernel, "This kernel alone: NAME or ns::NAME<float>; else the whole program");
  sub->add_option("--call", o.calls,
                  "A step of several, as for bench: 'KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)' (repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--symbol", o.symbols, "Of calls and launchers: the value of a __constant__ variable, as for bench")
      ->allow_extra_args(false);
  sub->add_option("--grid", k.grid, "Its blocks: X[,Y,Z]");
  sub->add_option("--block", k.block, "Its threads per block: X[,Y,Z]");
  sub->add_option("--shared", k.shared, "Its dynamic shared memory, in bytes");
  sub->add_option("--arg", k.arguments, "An argument: in=f32[99]:random, out=f32[4,5]:0, n=i64:9, a=f32[8]:a.npy")
      ->allow_extra_args(false);
  sub->add_option("--blocks", o.blocks, "Blocks of each launch that run and represent all: a number, or all");
  sub->add_option("--gpu", o.gpu, "The GPU that estimates are for")->capture_default_str();
  sub->add_option("--times", o.times, "Results with the kernel's times on a GPU (rafter bench --json FILE)");
  sub->add_option("--time-limit", k.time_limit_s, "Seconds until the program is stopped")->check(above_zero());
  sub->add_option("--size", o.size, "Of a workload: its sizes, joined by x");
  sub->add_option("--set", o.settings, "A size by name, for the rest: n=2^24; of a workload, a parameter")
      ->allow_extra_args(false);
  sub->add_option("--device", o.device, "Of a workload: cpu or cuda (default: the best one present)");
  add_load(*sub, o.load);
  sub->add_option("--threads", o.n_threads, "Of a workload: CPU threads")->check(from_one());
  add_json(*sub, o.formats, json_beside_program);
  add_journal_words(*sub, o.words);
  sub->footer(R"(
Use:
  rafter explain my.cu --kernel mine --grid 4096 --block 256 --arg 'in=f32[1048576]' --arg ...
  rafter explain my.cu --kernel solve --set n=1e6 --arg ...         a host launcher; --call for several kernels
  rafter explain program.cu [-I DIR] [-D NAME] [-- ARGUMENTS]      its kernels, heaviest first, and its copies
  rafter explain heat [RUNG] [--size 256]                          a built-in rung, measured here
  rafter explain smooth [RUNG] --load FOLDER                       a rung of a workload of yours

First what limits it, with the evidence; then what removing that is worth at most; then what to try,
and the rung or the line that shows it. A GPU is not needed: kernels are counted on the executor, and
compiled where nvcc is.
Exit code: 0 it was explained, 1 the program failed or has findings, 2 it could not be explained.)");
  return sub;
}

inline CLI::App* add_try(CLI::App& app, TryOptions& o) {
  CLI::App* sub = app.add_subcommand("try", "Try your kernel in an exercise: is it right, and how fast");
  sub->add_option("exercise", o.exercise, "A workload or an exercise's kernel (--list), or a file or folder of yours");
  sub->add_option("file", o.file, "Your CUDA source; its main, other kernels and host code are ignored");
  sub->add_option("--kernel", o.kernel, "Your kernel's name if it differs, or an exercise of the workload");
  sub->add_option("--block", o.block, "Threads per block, X[,Y]; the grid follows (default: the exercise's)");
  sub->add_option("--time-limit", o.time_limit_s, "Seconds until a launch is stopped")
      ->check(above_zero())
      ->capture_default_str();
  sub->add_option("--seed", o.seed, "Of the inputs (default: another one in every run)");
  sub->add_flag("--untrusted", o.is_untrusted, "Build and run the file in a sandbox: for files of others");
  sub->add_flag("--list", o.list, "The exercises and their signatures");
  sub->add_flag("--starter", o.starter, "Print a template file");
  sub->add_option("--hint", o.hint, "Print a hint; a number prints a later one")->expected(0, 1)->default_str("1");
  sub->add_flag("--next", o.next, "What is right so far, and the next exercise of the course");
  add_formats(*sub, o.formats, "As CSV: a line for each exercise");
  add_journal_words(*sub, o.words);
  sub->footer(R"(
Use:
  rafter try --list
  rafter try sum_atomic --starter > my.cu        a file with the signature and what to compute
  rafter try sum_atomic my.cu                    is it right, clean, and how fast?
  rafter try sum my.cu                           every exercise of sum whose kernel is in the file
  rafter try sum_1024 my.cu --kernel tree --block 256
  rafter try blur.json my.cu                     an exercise of your own: docs/cuda-day.md
  rafter try course/ --next                      a folder with several

Without a GPU the kernel runs on the executor, under all checkers, on the course's sizes and on
awkward ones. With a GPU it is then timed there, together with the ladder's rungs and the peers.
Exit code: 0 right, 1 wrong or a hazard was found, 2 it could not be tried.)");
  return sub;
}

inline CLI::App* add_judge(CLI::App& app, JudgeOptions& o) {
  CLI::App* sub = app.add_subcommand("judge", "Try many files in an exercise: a class, a contest");
  judge::JudgeRequest& r = o.request;
  sub->add_option("exercise", r.exercise,
                  "A workload or an exercise's kernel (rafter try --list), or a file or folder of yours");
  sub->add_option("submissions", r.submissions, "Files, and folders with FILE.cu in them and below");
  sub->add_option("--kernel", r.kernel, "The kernel's name if it differs, or an exercise of the workload");
  sub->add_option("--block", r.block, "Threads per block, X[,Y]; the grid follows (default: the exercise's)");
  sub->add_option("--jobs", r.n_jobs, "Files at a time (default: the number of cores; 1 if there is a GPU)")
      ->check(from_one());
  sub->add_option("--time-limit", r.time_limit_s, "Seconds until a launch is stopped")
      ->check(above_zero())
      ->capture_default_str();
  sub->add_option("--submission-limit", r.submission_limit_s, "Seconds until a file is given up")
      ->check(above_zero())
      ->capture_default_str();
  sub->add_option("--seed", r.seed, "Of the inputs of all files (default: another one in every call)");
  sub->add_flag("--untrusted", r.is_untrusted, "Build and run each file in a sandbox: for files of others");
  sub->add_option("--json", r.json_path, "Write the verdicts here, after each file ('-': standard output)");
  add_sign(*sub, o.sign_key);
  sub->add_option("--csv", r.csv_path, "Write a line for each file here");
  sub->add_option("--junit", r.junit_path, "Write them here as JUnit's XML");
  sub->add_option("--continue", r.continue_path, "Keep the verdicts in this --json file on files that are the same");
  sub->footer(R"text(
Use:
  rafter judge sum handed_in/
  rafter judge sum handed_in/ --jobs 8 --json verdicts.json --junit verdicts.xml
  rafter judge sum handed_in/ --continue verdicts.json      what is new or was not finished

Each file is tried as 'rafter try' tries it, in a process of its own.
Exit code: 0 all are right, 1 some are not, 2 nothing could be judged, 130 stopped by a signal.)text");
  return sub;
}

}  // namespace rafter::cli
