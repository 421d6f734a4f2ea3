// The only file that includes CLI11, which is slow to compile.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>

#include "base/suggest.hpp"
#include "cli/options.hpp"
#include "cli/tool.hpp"
#include "rafter/version.hpp"

namespace rafter::cli {

namespace {

constexpr const char* examples = R"(
Examples:
  rafter run                     all workloads at their usual sizes, on the best device here
  rafter run sum --size 2^27     one workload, one size
  rafter run rows --size 1000000x10,10x1e7 --rungs plain,by_shape --json rows.json
  rafter run sum --n 2^16,2^20,2^24 --plot sum.svg         a sweep: one table, and a plot
  rafter show sum published      a rung's idea and its source
  rafter device                  what is here, and its measured roofs
  rafter check program.cu        run a CUDA program without a GPU, under checkers
  rafter try sum my.cu           is your own kernel right, and where on the ladder does it stand?
  rafter solve heat --grid 256 --steps 1000 --out run1     diffusion, with fields for ParaView
  rafter classify --weights lenet.bin --images x.npy       LeNet: classes, and times of its layers
  rafter score --model m.safetensors --input windows.npy   which windows of spectra are anomalies?
  rafter forces molecules.xyz --model m.safetensors        energies and forces of molecules

In a checkout, ./rafter builds first; ./rafter test builds and runs the tests.
Exit code: 0 good, 1 the answer is no (a wrong result), 2 it could not run.)";

void add_run(CLI::App& app, RunOptions& o) {
  CLI::App* sub = app.add_subcommand("run", "Verify and time the rungs of workloads, against the roof and the peers");
  sub->add_option("workload", o.workloads, "Workloads (default: all); see 'rafter list'");
  sub->add_option("--device", o.device, "cpu, cuda, or simt: checks, no times (default: the best one present)");
  sub->add_option("--size", o.size, "Sizes, a table each: 2^27,1e7; several extents as 1000x300");
  sub->add_option("--set", o.settings, "Any parameter: NAME=VALUE[,VALUE...] (repeatable), as --NAME VALUE")
      ->allow_extra_args(false);
  sub->add_option("--rungs", o.rungs, "Only these rungs, comma-separated")->delimiter(',');
  sub->add_option("--json", o.json_path, "Write the results here ('-': standard output)");
  sub->add_option("--regime", o.regime, "What is timed: cold (caches flushed), warm, graph, wall")
      ->check(CLI::IsMember({"cold", "warm", "graph", "wall"}))
      ->capture_default_str();
  sub->add_flag("--regimes", o.all_regimes, "Show the other regimes too");
  sub->add_flag("--stages", o.stages, "Show what each stage of a rung takes, and what it can give at most");
  sub->add_flag("--quick", o.quick, "Small sizes and short timing: a look, not a result");
  sub->add_option("--seed", o.seed, "Seed of the inputs, to repeat a run (default: a fresh one, printed)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all this process may use)");
  sub->add_option("--plot", o.plot_path, "FILE.svg, .png or .pdf: a sweep's times and speed-ups as curves");
  sub->footer(R"(
Any parameter of a workload is an option, too; 'rafter list WORKLOAD' shows them:
  --NAME VALUE[,VALUE...]   over what --size says; a list of values makes a sweep

A sweep is one table, with a row for every value and rung. Of several lists the first is swept, and
every value of the others has a table.

Use:
  rafter run sum --size 2^27 --dtype float64
  rafter run sum --n 2^16,2^20,2^24,2^28 --plot sum.svg
  rafter run rows --rows 1e6 --cols 1,10,100 --rungs plain,by_shape --plot rows.png
  rafter run heat --order 2,4,8 --n 128,256)");
  for (const CLI::Option* option : sub->get_options()) {
    if (!option->get_lnames().empty()) o.own_options.push_back("--" + option->get_lnames().front());
  }
}

void add_plot(CLI::App& app, PlotOptions& o) {
  CLI::App* sub = app.add_subcommand("plot", "Draw the sweep in a results file, as 'run --plot' does");
  sub->add_option("results", o.results, "The file that a run wrote: its last line, or --json")->required();
  sub->add_option("picture", o.picture, "FILE.svg, .png or .pdf")->required();
  sub->add_option("--by", o.parameter, "The parameter to draw over (default: the one that was swept)");
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
  sub->add_option("--time-limit", o.time_limit_s, "Seconds until a launch in which no thread ends is given up");
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

void add_heat_outputs(CLI::App& sub, SolveHeatOptions& o) {
  constexpr const char* files = "What is written";
  sub.add_option("--out", o.out, "Folder for fields, the index heat.xdmf and a checkpoint")->group(files);
  sub.add_option("--every", o.every, "Fields every so many steps (default: the first and the last)")->group(files);
  sub.add_option("--format", o.format, "Of fields: hdf5 (default) or npy; ParaView opens both")->group(files);
  sub.add_option("--picture", o.picture, "FILE.png, .svg or .pdf: a slice at the end, with its scale")->group(files);
  sub.add_option("--picture-every", o.picture_every, "Pictures every so many steps too: FILE_STEP.png, ...")
      ->group(files);
  sub.add_option("--slice", o.slice, "AXIS or AXIS=CELL: z, y=12, x=0 (default: z, the middle)")->group(files);
  sub.add_option("--range", o.range, "LOW,HIGH of the picture's scale (default: the slice's own)")->group(files);
  sub.add_option("--checkpoint", o.checkpoint, "File to go on from (default: heat.checkpoint in --out)")->group(files);
  sub.add_option("--checkpoint-every", o.checkpoint_every, "Steps, or time: 500, 90s, 10m, 2h (default: 5m)")
      ->group(files);
  sub.add_option("--resume", o.resume, "Go on from this checkpoint, to the same bits")->group(files);
  sub.add_flag("--overwrite", o.overwrite, "Replace what another run left there")->group(files);
  sub.add_option("--report-every", o.report_every, "Steps between lines (default: a tenth of them)")->group(files);
  sub.add_option("--json", o.json_path, "Write the outcome here ('-': standard output)")->group(files);
}

void add_solve(CLI::App& app, SolveHeatOptions& o) {
  CLI::App* solve = app.add_subcommand("solve", "Solve an equation: heat");
  solve->footer("\nUse: rafter solve heat --help");
  CLI::App* sub = solve->add_subcommand("heat", "Diffusion on a 3-D grid: u_t = alpha (u_xx + u_yy + u_zz), RK4");
  constexpr const char* problem = "The problem";
  sub->add_option("--grid", o.grid, "Cells: N or NZ,NY,NX (default: 128, or a file's)")->group(problem);
  sub->add_option("--spacing", o.spacing, "Between cells: H or HZ,HY,HX (default: 1)")->group(problem);
  sub->add_option("--alpha", o.alpha, "Diffusivity (default: 1)")->group(problem);
  sub->add_option("--order", o.order, "Of accuracy in space: 2, 4, 6, 8 (default: 8)")->group(problem);
  sub->add_option("--boundary", o.boundary, "frozen (default), periodic or zero-flux")->group(problem);
  sub->add_option("--dt", o.dt, "Time step (default: 0.05 / (alpha * sum of 1/h^2))")->group(problem);
  sub->add_option("--dtype", o.dtype, "float32 (default) or float64, or a file's")->group(problem);
  sub->add_option("--steps", o.steps, "How far: steps from the beginning")->group(problem);
  sub->add_option("--time", o.time, "How far: time; dt shrinks to end there exactly")->group(problem);
  constexpr const char* beginning = "The beginning";
  sub->add_option("--initial", o.initial, "gaussian (default), hot-sphere, random, FILE.npy, FILE.h5[:DATASET]")
      ->group(beginning);
  sub->add_option("--amplitude", o.amplitude, "Its largest value (default: 1)")->group(beginning);
  sub->add_option("--width", o.width, "Of gaussian, part of the shortest side (default: 0.1)")->group(beginning);
  sub->add_option("--radius", o.radius, "Of hot-sphere, likewise (default: 0.25)")->group(beginning);
  sub->add_option("--seed", o.seed, "Of random (default: a fresh one, printed)")->group(beginning);
  add_heat_outputs(*sub, o);
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)")->group("The machine");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)")->group("The machine");
  sub->footer(R"(
Use:
  rafter solve heat --grid 256 --steps 1000 --every 100 --out run1 --picture run1/end.png
  rafter solve heat --initial u.npy --spacing 0.01 --time 0.02 --boundary periodic --out run2
  rafter solve heat --resume run2/heat.checkpoint              after a crash, kill -9 or Ctrl-C
  rafter solve heat --resume run2/heat.checkpoint --time 0.1   farther than it was to go

A resumed run keeps its problem and, where nothing else is said, its outputs.
Exit code: 0 done, 1 the field is no longer finite, 2 it could not run, 130 stopped by a signal.)");
}

void add_classify(CLI::App& app, ClassifyOptions& o) {
  CLI::App* sub = app.add_subcommand("classify", "LeNet on files of images: classes, accuracy, what its layers take");
  sub->add_option("--weights", o.weights, "Weight file: int32 10, then for each layer its count and floats")
      ->required();
  sub->add_option("--images", o.images, "IDX or .npy: (N, 86, 86) or (N, 1, 86, 86), uint8, or float32 in .npy")
      ->required();
  sub->add_option("--labels", o.labels, "IDX or .npy of integers: (N), 0 to 9; gives the accuracy");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)");
  sub->add_option("--precision", o.precision, "Of the convolutions: fp32, or on a GPU tf32, fp16, split_fp16")
      ->capture_default_str();
  sub->add_option("--batch", o.batch, "Images at a time (default: 512, on the CPU 256)");
  sub->add_option("--output", o.output, "FILE.npy for the classes: (N) int32");
  sub->add_option("--probabilities", o.probabilities, "FILE.npy for the probabilities: (N, 10) float32");
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)");
  sub->footer(R"(
Use:
  rafter classify --weights lenet.bin --images t10k-images.idx --labels t10k-labels.idx
  rafter classify --weights lenet.bin --images x.npy --output classes.npy --device cpu
  rafter classify --weights lenet.bin --images x.npy --device cuda --precision fp16 --json times.json

Pixels are raw, 0 to 255. "op" is the time of a layer on the device; then that of the whole layer
from host memory to host memory: copies in order, in order with pinned memory, and overlapped.
Exit code: 0 done, 1 sums of some images are not finite, 2 it could not run.)");
}

void add_score(CLI::App& app, ScoreOptions& o) {
  CLI::App* sub = app.add_subcommand("score", "Anomaly scores: how well a model reconstructs the windows of a file");
  sub->add_option("--model", o.model, "FILE.safetensors of a SpectralShapeAutoencoder, as PyTorch names its tensors")
      ->required();
  sub->add_option("--input", o.input, "FILE.npy: (N, frames, mels) or (N, frames*mels), float16, float32 or float64")
      ->required();
  sub->add_option("--output", o.output, "FILE.npy for the scores: (N) float32");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)");
  sub->add_option("--precision", o.precision, "Of the products: fp32, or on a GPU tf32, bf16")->capture_default_str();
  sub->add_option("--batch", o.batch, "Windows at a time (default: 8 MiB of them)");
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)");
  sub->footer(R"(
Use:
  rafter score --model m.safetensors --input windows.npy --output scores.npy
  rafter score --model m.safetensors --input windows.npy --device cuda --precision bf16 --json -

A score is the mean squared error of a window's reconstruction: high where a window is unlike
those the model was trained on. The file may be larger than memory; it is read in pieces.
Exit code: 0 done, 1 some scores are not finite, 2 it could not run, 130 stopped by a signal.)");
}

void add_forces(CLI::App& app, ForcesOptions& o) {
  CLI::App* sub = app.add_subcommand("forces", "Energies and forces: a message-passing network on molecules of a file");
  sub->add_option("molecules", o.molecules, "FILE.xyz, plain or extended XYZ, many frames ('-': standard input)")
      ->required();
  sub->add_option("--model", o.model, "FILE.safetensors of a student or a PaiNN, with PyTorch's names");
  sub->add_option("--random-model", o.random_model, "student or painn with random weights, to try it without a file");
  sub->add_option("--seed", o.seed, "Of --random-model")->capture_default_str();
  sub->add_option("--out", o.output, "FILE.extxyz for the results: extended XYZ, the same frames in order");
  sub->add_flag("--stress", o.stress, "Write virials too, and stresses of cells");
  sub->add_flag("--energies-only", o.energies_only, "Calculate no forces");
  sub->add_flag("--float64", o.float64, "Calculate in float64, with exact filters");
  sub->add_flag("--exact-filters", o.exact_filters, "Calculate filters by their network, not from a table");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)");
  sub->add_option("--batch-atoms", o.batch_atoms, "Atoms at a time (default: 131072, on the CPU 1024 a thread)");
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)");
  sub->footer(R"(
Use:
  rafter forces molecules.xyz --model m.safetensors --out forces.extxyz
  rafter forces molecules.xyz --random-model painn --out forces.extxyz
  zcat crystals.extxyz.gz | rafter forces - --model m.safetensors --stress --out stresses.extxyz

Angstrom and eV. The file may be larger than memory; it is read in pieces. A frame that is
malformed or cannot be calculated is skipped and named with its line; the others are done.
Exit code: 0 done, 1 some frames were skipped, 2 it could not run, 130 stopped by a signal.)");
}

Finished refuse(const std::string& complaint, const std::string& where) {
  fmt::print(stderr, "rafter: {}\n        see rafter {}--help\n", complaint, where);
  return {exit_failed};
}

/// The subcommands that lead to one, each with a space behind it.
std::string path_of(const CLI::App& app) {
  return app.get_parent() != nullptr ? path_of(*app.get_parent()) + app.get_name() + " " : "";
}

/// The innermost subcommand that was named; the tool itself when none was.
CLI::App& chosen_of(CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : chosen_of(*chosen.front());
}

void prepare(CLI::App& app) {
  app.allow_extras();
  app.get_formatter()->column_width(28);
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) {
    if (sub->get_footer() == app.get_footer()) sub->footer("");
    prepare(*sub);
  }
}

/// Words that no option took: a subcommand or an option misspelt.
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
  const char* named = app.get_parent() != nullptr ? "equation" : "subcommand";
  return refuse(base::unknown_name(is_option ? "option" : named, word, known), where);
}

/// Options that run does not have are parameters of its workload, which only the program that knows the workloads can
/// judge: `--batch 32,64` becomes `--set=--batch=32,64`, whose dashes say how it was typed.
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
  RunOptions run_options;
  ListOptions list_options;
  DeviceOptions device_options;
  ShowOptions show_options;
  add_run(app, run_options);
  PlotOptions plot_options;
  add_plot(app, plot_options);
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
  SolveHeatOptions solve_heat_options;
  add_solve(app, solve_heat_options);
  ClassifyOptions classify_options;
  add_classify(app, classify_options);
  ScoreOptions score_options;
  add_score(app, score_options);
  ForcesOptions forces_options;
  add_forces(app, forces_options);
  prepare(app);

  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && words.front() == "run") words = parameters_as_settings(*app.get_subcommand("run"), words);
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::Success& success) {  // --help and --version
    return Finished{app.exit(success)};
  } catch (const CLI::ParseError& error) {
    return refuse(error.what(), path_of(chosen_of(app)));
  }

  CLI::App& chosen = chosen_of(app);
  const std::string name = chosen.get_name();
  if (name == "exec" || name == "check" || name == "profile") {
    executor_options.build = chosen.remaining();
    executor_options.program = after_dashes;
    return executor_options;
  }
  if (chosen.remaining_size() > 0) return refuse_extras(chosen, chosen.remaining());
  if (&chosen == &app || name == "solve") {
    fmt::print("{}", chosen.help());
    return Finished{exit_good};
  }
  if (name == "run") return run_options;
  if (name == "plot") return plot_options;
  if (name == "list") return list_options;
  if (name == "device") return device_options;
  if (name == "try") return try_options;
  if (name == "heat") return solve_heat_options;
  if (name == "classify") return classify_options;
  if (name == "score") return score_options;
  if (name == "forces") return forces_options;
  return show_options;
}

}  // namespace rafter::cli
