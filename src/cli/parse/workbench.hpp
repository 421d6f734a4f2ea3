// The subcommands of the workbench. Only for parse.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "cli/parse/journal.hpp"
#include "cli/parse/values.hpp"

namespace rafter::cli {

inline CLI::App* add_run(CLI::App& app, RunOptions& o) {
  session::RunRequest& r = o.request;
  CLI::App* sub =
      app.add_subcommand("run", "Verify and time the rungs of workloads, compared with the roof and the peers");
  sub->add_option("workload", r.workloads, "Workloads (default: all); see 'rafter list'");
  sub->add_option("--device", r.device, "cpu, cuda, or simt: checks, no times (default: the best one present)");
  sub->add_option("--size", r.size, "Sizes, a table each: 2^27,1e7; several extents as 1000x300");
  sub->add_option("--set", r.settings, "Any parameter: NAME=VALUE[,VALUE...] (repeatable), as --NAME VALUE")
      ->allow_extra_args(false);
  sub->add_option("--rungs", r.rungs, "Only these rungs, comma-separated")->delimiter(',');
  add_load(*sub, o.load);
  sub->add_flag("--check", r.check, "Every rung at the sizes that break kernels, and no times");
  sub->add_option("--json", o.json_path, "Write the results here ('-': standard output)");
  add_sign(*sub, o.sign_key);
  sub->add_option("--csv", o.csv_path, "Write them here as CSV, too");
  sub->add_option("--regime", r.regime, "What is timed: cold (caches flushed), warm, graph, wall")
      ->check(CLI::IsMember({"cold", "warm", "graph", "wall"}))
      ->capture_default_str();
  sub->add_flag("--regimes", r.all_regimes, "Show the other regimes too");
  sub->add_flag("--stages", r.stages, "Show the time of each stage of a rung, and its largest possible gain");
  sub->add_flag("--quick", r.quick, "Small sizes and short timing: a look, not a result");
  sub->add_option("--seconds", r.seconds, "Timing of each rung, at most (default: 1.5, less for all workloads)")
      ->check(CLI::Range(0.001, 3600.));
  sub->add_option("--seed", r.seed, "Seed of the inputs, to repeat a run (default: a fresh one, printed)");
  sub->add_option("--threads", r.n_threads, "CPU threads (default: all this process may use)")->check(from_one());
  sub->add_option("--plot", o.plot_path, "FILE.svg, .png or .pdf: the ladder as bars, a sweep as curves");
  sub->add_option("--continue", o.continued, "RESULTS.json of an interrupted run: measure the missing cases");
  add_journal_words(*sub, o.words);
  sub->footer(R"(
Any parameter of a workload is an option, too; 'rafter list WORKLOAD' shows them:
  --NAME VALUE[,VALUE...]   overrides --size; a list of values makes a sweep

A sweep is one table, with a row for every value and rung. Of several lists the first is swept, and
every value of the others has a table.

Use:
  rafter run sum --size 2^27 --dtype float64
  rafter run sum --n 2^16,2^20,2^24,2^28 --plot sum.svg
  rafter run rows --rows 1e6 --cols 1,10,100 --rungs plain,by_shape --plot rows.png
  rafter run heat --order 2,4,8 --n 128,256
  rafter run --continue results.json          resume an interrupted run)");
  for (const CLI::Option* option : sub->get_options()) {
    if (!option->get_lnames().empty()) r.own_options.push_back("--" + option->get_lnames().front());
  }
  return sub;
}

/// Adds the options that describe a user kernel, for bench and tune.
inline void add_kernel_options(CLI::App* sub, BenchOptions& o) {
  bench::KernelRequest& k = o.kernels;
  const auto list = [&](const char* name, std::vector<std::string>& to, const char* what) {
    sub->add_option(name, to, what)->allow_extra_args(false);
  };
  list("--kernel", k.kernels, "A kernel of the file, NAME or ns::NAME<float>, or a host launcher (repeatable)");
  list("--call", k.calls, "A step of several: '[NAME=]KERNEL<<<GRID, BLOCK>>>(ARGUMENTS)' (repeatable)");
  list("--reference", k.references, "The reference: a kernel or host function of the file, or ARRAY=FILE.npy");
  list("--set", k.settings, "A size: NAME=VALUE; a list of values makes a sweep (repeatable)");
  list("--grid", k.grids, "Blocks: X[,Y[,Z]], in terms of the sizes; KERNEL=X,... for one kernel");
  list("--block", k.blocks, "Threads per block, in the same form");
  list("--shared", k.shared, "Dynamic shared memory in bytes, in the same form");
  sub->add_option("--reference-grid", k.reference_grid, "Blocks of references that are kernels (default: --grid)");
  sub->add_option("--reference-block", k.reference_block, "Their threads per block (default: --block)");
  sub->add_option("--reference-shared", k.reference_shared, "Their shared memory (default: --shared)");
  list("--arg", k.arguments, "An argument: in=f32[n]:random, out=f32[n], k=i32:5, a=a.npy (repeatable)");
  list("--symbol", k.symbols, "The value of a __constant__ or __device__ variable: filter=f32[9]:random, or a.npy");
  list("--cooperative", k.cooperative, "A kernel to launch cooperatively (default: those that call this_grid)");
  sub->add_option("--bytes", k.bytes, "The least memory traffic in bytes (default: that of the arrays)");
  sub->add_option("--flops", k.flops, "The least operations (default: none)");
  sub->add_option("--tolerance", k.tolerance, "Relative (default: 1e-5 for f32, by type; integers are exact)")
      ->check(above_zero());
  list("--may-keep", k.may_keep, "A __device__ variable whose value may outlive a call (repeatable)");
  list("--allow", k.allowed, "Accept a hazard of kernels with right values: race, same_value_race (repeatable)");
  sub->add_option("--device", o.device, "cuda, or simt: the executor (default: a GPU if there is one)");
  sub->add_option("--time-limit", o.time_limit_s, "Seconds until a launch is stopped")
      ->check(above_zero())
      ->capture_default_str();
  sub->add_option("--seed", o.seed, "Seed of random inputs (default: a fresh one, printed)");
  sub->add_flag("--quick", o.quick, "Short timing: a look, not a result");
  sub->add_option("--json", o.json_path, "Write the results here ('-': standard output)");
  add_sign(*sub, o.sign_key);
  sub->add_option("--csv", o.csv_path, "Write them here as CSV, too");
  sub->add_flag("--untrusted", o.is_untrusted, "Do all of it in a sandbox, on the executor: for files of others");
  list("--readable", o.readable, "With --untrusted: a file or folder that it may read nevertheless");
  add_journal_words(*sub, o.words);
}

inline CLI::App* add_bench(CLI::App& app, BenchOptions& o) {
  CLI::App* sub = app.add_subcommand("bench", "Your own kernels: are they right, how fast, how far from the floor");
  add_kernel_options(sub, o);
  sub->add_flag("--regimes", o.all_regimes, "Warm caches, CUDA graphs and host time, too");
  sub->footer(R"text(
Use:
  rafter bench FILE.cu --kernel mine --reference naive --set n=1e8 --grid 'ceil(n/256)' --block 256
               --arg in=f32[n]:random --arg out=f32[n]
  rafter bench FILE.cu --kernel tiled --kernel wide --reference host_blur --set w=4096 --set h=4096
               --grid 'ceil(w/16),ceil(h/16)' --block 16,16 --grid 'wide=ceil(w/128),h' --block wide=32
               --arg in=f32[h,w]:random --arg out=f32[h,w]
  rafter bench FILE.cu --kernel solve --reference naive ...   a host function that launches kernels
  rafter bench FILE.cu --call 'partial<<<ceil(n/256), 256>>>(in, sums, n)' --call 'last<<<1, 256>>>(sums, out, n)'
               --reference host_sum --arg 'sums=f32[ceil(n/256)]:scratch' ...     several calls as one
  rafter bench PROGRAM.cu [-I DIR ...] [-- ARGUMENTS]        a whole program: its launches by name

Sizes, shapes and fills are expressions: + - * / % ^ ( ) ceil floor min max sqrt log2. A parameter
named like a size gets its value. An array without a fill is an output: poisoned before launches.
Fills: random, random(SEED), uniform(LOW,HIGH), arange, a number, FILE.npy; scratch for intermediate
values, which are not compared. A structure by value: p=struct{i32:n,f32:0.5}.

On a GPU: compiled by nvcc, verified in a child process, timed alternately with the reference, compared
with the floor. Without a GPU: verified under all checkers on the executor, and counted.
Exit code: 0 all are right, 1 one is wrong, crashed or did not end, 2 it could not be run.)text");
  return sub;
}

inline CLI::App* add_tune(CLI::App& app, TuneOptions& o) {
  CLI::App* sub =
      app.add_subcommand("tune", "The best values of a kernel's macros, or of the launch parameters of an op");
  sub->add_flag("--check", o.check, "Ops: check whether their launch parameters are the best on this GPU");
  sub->add_flag("--keep", o.keep, "Ops: write better values to the file that they read");
  add_load(*sub, o.load);
  sub->add_option("--param", o.parameters, "A macro and its values: TILE=16,32,64 (repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--where", o.where, "A condition on combinations: 'TILE*UNROLL <= 128'");
  sub->add_option("--most", o.most_points, "The most combinations; more are sampled")
      ->check(from_one())
      ->capture_default_str();
  sub->add_option("--strategy", o.strategy, "halving: all combinations; local: from random ones to better neighbours")
      ->check(CLI::IsMember({"halving", "local"}).description(""))
      ->capture_default_str();
  sub->add_option("--objective", o.objective, "time, or energy as the GPU measures it")
      ->check(CLI::IsMember({"time", "energy"}).description(""))
      ->capture_default_str();
  sub->add_option("--cache", o.cache_path, "FILE with the trials: resume an interrupted search, or extend one");
  sub->add_option("--t4", o.t4_path, "Write the trials here in the T4 format of Kernel Tuner, too");
  sub->add_option("--finalists", o.n_finalists, "Combinations that are measured well at the end")
      ->check(from_one())
      ->capture_default_str();
  add_kernel_options(sub, o.bench);
  sub->footer(R"text(
Use:
  rafter tune blur.cu --kernel tiled --reference naive --param TILE=8,16,32 --param UNROLL=1,2,4
              --where 'TILE*TILE <= 1024' --set n=8192 --grid 'ceil(n/TILE),ceil(n/TILE)'
              --block TILE,TILE --arg in=f32[n,n]:random --arg out=f32[n,n]
  rafter tune --check                       the ops of this library: are their values the best here?
  rafter tune sum rows --keep               better ones, kept for this GPU

Each combination is compiled with its macros (-DTILE=16), verified as bench does, and timed: all
briefly, the better half longer, and the finalists alternately with the reference. Those that do not
compile or are wrong are left out and counted. Grid, block and shared memory may use the macros.
Without a GPU they are verified and counted on the executor, and nothing is timed.
--cache FILE keeps each trial: the same command goes on after an interruption.
Exit code: 0 there is a winner, or all is right; 1 no combination is right, or --check found better
values; 2 it could not be run.)text");
  return sub;
}

inline CLI::App* add_plot(CLI::App& app, PlotOptions& o) {
  CLI::App* sub = app.add_subcommand("plot", "Draw a results file: its sweep, ladder or roofline");
  sub->add_option("results", o.results, "The file that a run wrote: its last line, or --json")->required();
  sub->add_option("picture", o.picture, "FILE.svg, .png or .pdf")->required();
  sub->add_option("--kind", o.kind, "sweep, ladder, roofline or tune (default: what the file has)")
      ->check(CLI::IsMember({"sweep", "ladder", "roofline", "tune"}).description(""));
  sub->add_option("--by", o.parameter, "The parameter to draw over (default: the one that was swept)");
  sub->add_option("--theme", o.theme, "light or dark: the background of the page it is for")
      ->check(CLI::IsMember({"light", "dark"}).description(""))
      ->capture_default_str();
  return sub;
}

inline CLI::App* add_report(CLI::App& app, ReportOptions& o) {
  CLI::App* sub = app.add_subcommand("report", "Results as one self-contained HTML page");
  sub->add_option("results", o.results, "The files that runs wrote: their last lines, or --json");
  sub->add_option("--journal", o.journals, "A folder with a journal: its steps and their changes")
      ->type_name("DIR")
      ->allow_extra_args(false);
  sub->add_option("--out", o.out, "The page, FILE.html ('-': standard output)")->required();
  sub->add_option("--title", o.title, "Its title")->capture_default_str();
  sub->footer(R"(
Use:
  rafter run sum scan --json results.json
  rafter report results.json --out report.html
  rafter report --journal . results.json --out report.html)");
  return sub;
}

inline CLI::App* add_compare(CLI::App& app, CompareOptions& o) {
  CLI::App* sub = app.add_subcommand("compare", "Before and after: what became faster, slower, or wrong");
  sub->add_option("files", o.files, "BEFORE.json AFTER.json: what 'run --json' wrote");
  sub->add_option("--builds", o.builds, "Two builds of rafter, or built checkouts, measured alternately")
      ->expected(2)
      ->type_name("DIR");
  sub->add_option("--rounds", o.most_rounds, "Rounds at most, each a run of both builds (8 at least)")
      ->check(CLI::Range(8, 1000).description(""))
      ->capture_default_str();
  sub->add_flag("--anyway", o.anyway, "Compare results of different machines, too");
  sub->add_option("--json", o.json_path, "Write the comparison here ('-': standard output)");
  sub->add_option("--csv", o.csv_path, "The same as CSV");
  sub->add_option("--run-word", o.run, "")->group("")->allow_extra_args(false);  // see words_for_run()
  sub->footer(R"(
Use:
  rafter compare before.json after.json
  rafter compare --builds ../rafter-old . sum scan --size 2^26 --rungs published
                                                 the words after the folders are for 'rafter run'

Each rung that both have: its medians, the ratio with its 99 % interval, and FASTER, SLOWER, SAME or
UNDECIDED. Two files were measured at different times, which the interval does not include; --builds
runs both alternately until everything is decided.
Exit code: 0 nothing is worse, 1 something is SLOWER or wrong now, 2 it could not be compared.)");
  return sub;
}

inline CLI::App* add_verify(CLI::App& app, VerifyOptions& o) {
  CLI::App* sub = app.add_subcommand("verify", "Is a signed results file as it was signed");
  sub->add_option("file", o.file, "The file that --json wrote; its signature is FILE.sig")->required();
  sub->add_option("--signers", o.signers, "Whose signatures count: lines 'NAME KEYTYPE KEY', as ssh-keygen takes them");
  sub->add_option("--identity", o.identity, "The NAME of the signer");
  sub->footer(R"(
Use:
  rafter bench my.cu ... --json results.json --sign ~/.ssh/id_ed25519
  rafter verify results.json --signers allowed_signers --identity ada@example.org

It also compares the sources that the results name with the files that are here now.
Exit code: 0 as it was signed, 1 it or a source has changed, 2 it could not be verified.)");
  return sub;
}

inline CLI::App* add_list(CLI::App& app, ListOptions& o) {
  CLI::App* sub = app.add_subcommand("list", "The workloads, their parameters and their ladders");
  sub->add_option("workload", o.workload, "Only this one, with its parameters");
  add_load(*sub, o.load);
  add_formats(*sub, o.formats, "The rungs as CSV; of one workload its parameters");
  return sub;
}

inline CLI::App* add_device(CLI::App& app, DeviceOptions& o) {
  CLI::App* sub = app.add_subcommand("device", "The devices of this machine and their measured roofs");
  sub->add_flag("--remeasure", o.remeasure, "Measure the roofs again instead of using the cached ones");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all this process may use)")->check(from_one());
  add_formats(*sub, o.formats, "The roofs as CSV");
  return sub;
}

inline CLI::App* add_show(CLI::App& app, ShowOptions& o) {
  CLI::App* sub = app.add_subcommand("show", "A ladder's ideas, or a rung's idea and its source");
  sub->add_option("workload", o.workload, "The workload")->required();
  sub->add_option("rung", o.rung, "The rung; without it, the whole ladder");
  sub->add_option("--device", o.device, "cpu or cuda, for a name on both");
  add_load(*sub, o.load);
  add_formats(*sub, o.formats, "The rungs and their ideas as CSV");
  return sub;
}

inline CLI::App* add_new(CLI::App& app, NewWorkloadOptions& o) {
  CLI::App* parent = app.add_subcommand("new", "A template: a workload of your own");
  parent->footer("\nUse: rafter new workload NAME");
  CLI::App* sub =
      parent->add_subcommand("workload", "A folder with a contract and two rungs per device, as a template");
  sub->add_option("name", o.name, "Its name: small letters, digits, underscores")->required();
  sub->add_option("--folder", o.folder, "The folder, which must not exist yet (default: the name)");
  sub->footer(R"(
Use:
  rafter new workload smooth
  rafter run --load smooth                 builds it, verifies and times its rungs
  rafter run --load smooth --device simt   its CUDA rungs on the executor, under checkers)");
  return sub;
}

}  // namespace rafter::cli
