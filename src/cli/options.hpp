// The options of each subcommand, and the program that performs it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "apps/solve/heat_request.hpp"
#include "base/outputs.hpp"
#include "executor/command/request.hpp"
#include "workbench/bench/request.hpp"
#include "workbench/journal/record.hpp"
#include "workbench/judge/request.hpp"
#include "workbench/session/request.hpp"

namespace rafter::cli {

struct RunOptions {  ///< Performed by several programs, see main.cpp.
  session::RunRequest request{};
  std::vector<std::string> load{};  ///< Folders of workloads that replace the built-in ones.
  std::string json_path{};          ///< Empty: a new file in the results folder; "-": standard output.
  std::string csv_path{};           ///< Empty: none; "-": standard output.
  std::string plot_path{};          ///< Empty: none.
  std::string continued{};          ///< The results file of a run to resume; empty: none.
  std::string sign_key{};           ///< The key that signs the results; empty: none.
  journal::Words words{};
};

/// A plot of a results file.
struct PlotOptions {
  static constexpr const char* program = "rafter-plot";
  std::string results{};    ///< A file.
  std::string picture{};    ///< The file to draw.
  std::string parameter{};  ///< Empty: the swept one.
  std::string kind{};       ///< sweep, ladder, roofline or tune; empty: chosen by the file.
  std::string theme = "light";
};

/// Results as an HTML page.
struct ReportOptions {
  static constexpr const char* program = "rafter-report";
  std::vector<std::string> results{};   ///< Files.
  std::vector<std::string> journals{};  ///< Folders inside the journals' trees.
  std::string out{};                    ///< The page; "-": standard output.
  std::string title = "Measured with Rafter";
};

/// User kernels to verify and measure, or a whole program.
struct BenchOptions {
  static constexpr const char* program = "rafter-bench";
  bench::KernelRequest kernels{};  ///< `build` alone describes a whole program.
  std::string device{};            ///< cuda or simt; empty: a GPU, or the executor without one.
  double time_limit_s = 10;
  std::string seed{};  ///< Empty: a fresh seed.
  bool quick = false, all_regimes = false;
  std::string json_path{};                       ///< Empty: a new file in the results folder.
  std::string csv_path{};                        ///< Empty: none.
  std::string sign_key{};                        ///< The key that signs the results; empty: none.
  std::vector<std::string> program_arguments{};  ///< Of a whole program.
  bool is_untrusted = false;                     ///< Run the whole command in a sandbox.
  std::vector<std::string> readable{};           ///< What can be read there besides the named files.
  journal::Words words{};
};

/// The best values of a user kernel's macros, or of the numbers that ops launch with.
struct TuneOptions {
  BenchOptions bench{};  ///< One kernel; for ops, `build` names workloads.
  bool check = false;    ///< Ops: report better values by the exit code.
  bool keep = false;     ///< Ops: write better values to the file that they read.
  std::vector<std::string> load{};
  std::vector<std::string> parameters{};
  std::string where{};
  int most_points = 1000, n_finalists = 6;
  std::string strategy = "halving", objective = "time";
  std::string cache_path{}, t4_path{};

  bool has_kernel() const { return bench.kernels.has_subject() || !parameters.empty(); }
};

/// Two results files, or two builds that are measured alternately.
struct CompareOptions {
  static constexpr const char* program = "rafter-compare";
  std::vector<std::string> files{};
  std::vector<std::string> builds{};  ///< Two folders, or none.
  std::vector<std::string> run{};     ///< The words for 'rafter run' of the builds.
  int most_rounds = 200;
  bool anyway = false;      ///< Compare results of different machines, too.
  std::string json_path{};  ///< Empty: none; "-": standard output.
  std::string csv_path{};   ///< Empty: none; "-": standard output.
};

/// A signed results file.
struct VerifyOptions {
  static constexpr const char* program = "rafter-compare";
  std::string file{};
  std::string signers{}, identity{};  ///< Empty: any key.
};

struct ListOptions {
  std::string workload{};
  std::vector<std::string> load{};
  base::Formats formats{};
};

struct DeviceOptions {
  static constexpr const char* program = "rafter-run";
  bool remeasure = false;
  base::Formats formats{};
  int n_threads = 0;
};

struct ShowOptions {
  std::string workload{};
  std::string rung{};
  std::string device{};
  std::vector<std::string> load{};
  base::Formats formats{};
};

/// A folder with a template of a workload.
struct NewWorkloadOptions {
  static constexpr const char* program = "rafter-new";
  std::string name{};
  std::string folder{};  ///< Empty: the name.
};

/// A CUDA program, or one kernel of a file, on the executor: exec, check and profile.
struct ExecutorOptions {
  static constexpr const char* program = "rafter-executor";
  simt::command::ProgramRequest request{};
  base::Formats formats{};
  std::string nvcc_wrapper{};  ///< A folder to create; empty: run the program.
  std::string sarif{}, junit{}, suppress{}, fail_on{};
};

/// The limits of a CUDA program, a kernel or a rung.
struct ExplainOptions {                     ///< Performed by several programs, see main.cpp.
  simt::command::ProgramRequest request{};  ///< `build` has files and compiler options, or a workload and a rung.
  std::vector<std::string> settings{};      ///< Sizes of a kernel, or parameters of a workload.
  std::vector<std::string> calls{};         ///< Of a subject, as for bench.
  std::vector<std::string> symbols{};       ///< Of a subject, as for bench.
  std::vector<std::string> load{};
  std::string size{}, device{};
  std::string gpu = "H200";
  journal::Words words{};
  std::string blocks{};     ///< The blocks of a launch that run on the executor: a number or "all"; empty: chosen.
  std::string times{};      ///< A results file with the kernel's times on a GPU.
  base::Formats formats{};  ///< Only JSON.
  int n_threads = 0;

  bool is_of_workload() const;
};

/// A learner's kernel, compared with an exercise.
struct TryOptions {
  static constexpr const char* program = "rafter-trial";
  std::string exercise{};  ///< A workload, or the kernel of an exercise.
  std::string file{};
  std::string kernel{};  ///< The kernel's name in the file, if it differs.
  std::string block{};   ///< Threads: X[,Y[,Z]]; empty: those of the exercise.
  double time_limit_s = 10;
  std::optional<std::uint64_t> seed{};  ///< Of the inputs; fresh if there is none.
  bool is_untrusted = false;            ///< Build and run the file in a sandbox.
  bool list = false;
  bool starter = false;
  bool next = false;  ///< Show the progress in the course.
  int hint = 0;       ///< The hint to show, from 1; 0: none.
  base::Formats formats{};
  journal::Words words{};
};

/// Many files, tried in an exercise.
struct JudgeOptions {
  static constexpr const char* program = "rafter-trial";
  judge::JudgeRequest request{};
  std::string sign_key{};  ///< The key that signs the results; empty: none.
};

/// The child process of `judge` that tries one file.
struct JudgeChildOptions {
  static constexpr const char* program = "rafter-trial";
  std::string job{};  ///< A file.
};

/// The child process of `try` that runs the kernel on a GPU.
struct TryChildOptions {
  static constexpr const char* program = "rafter-trial";
  std::string job{};  ///< A file.
};

/// A heat run.
struct SolveHeatOptions {
  static constexpr const char* program = "rafter-solve";
  solve::HeatRequest request{};
  std::string config{};  ///< A file with options; parse() reads it.
  std::string device{};  ///< Empty: the best device of this machine.
  int n_threads = 0;
  std::string json_path{};  ///< Empty: none; "-": standard output.
};

/// LeNet on image files.
struct ClassifyOptions {
  static constexpr const char* program = "rafter-classify";
  std::string weights{}, images{}, labels{};
  std::int64_t first = 0;  ///< Images to read; 0: all.
  bool resize = false;     ///< Scale images to 86 x 86.
  bool times = false;      ///< Time the layers.
  std::string device{};    ///< Empty: the best device of this machine.
  std::string precision = "fp32";
  std::int64_t batch = 0;  ///< 0: the default of the device.
  std::string output{}, probabilities{};
  std::string json_path{};  ///< Empty: none; "-": standard output.
  std::string csv_path{};   ///< Empty: none; "-": standard output.
  int n_threads = 0;

  bool asks_for_times() const { return times || !csv_path.empty(); }
};

/// The parameters of spectra of recordings; names as typed.
struct MelOptions {
  std::int64_t sample_rate = 0, fft = 0, hop = 0;  ///< 0: not given.
  std::string scale{}, norm{};                     ///< Empty: not given.
  std::string padding = "zeros", logarithm = "db", channel{};
  double f_min = 0, f_max = 0, power = 2, floor = 0;  ///< 0: the default.
  std::int64_t window_hop = 1;
};

/// The scores of a model for windows.
struct ScoreOptions {
  static constexpr const char* program = "rafter-score";
  std::string model{}, input{}, output{};
  std::vector<std::string> wav{};  ///< Recordings and folders, in place of `input`.
  MelOptions mel{};
  std::string labels{}, recordings{};  ///< Files with a number for each window; empty: none.
  std::string recording_scores{};      ///< Empty: none; "-": standard output.
  std::string device{};                ///< Empty: the best device of this machine.
  std::string precision = "fp32";
  std::int64_t batch = 0;   ///< 0: 8 MiB of windows.
  std::string json_path{};  ///< Empty: none; "-": standard output.
  int n_threads = 0;
};

/// The energies and forces of molecules.
struct ForcesOptions {
  static constexpr const char* program = "rafter-forces";
  std::string molecules{};  ///< "-": standard input.
  std::string model{}, random_model{}, output{};
  std::int64_t seed = 1;      ///< Of random_model.
  double cutoff = 0;          ///< Of a student whose file does not have it; 0: none.
  std::string energy_unit{};  ///< Of the model; empty: as the file says, or eV.
  std::string device{};       ///< Empty: the best device of this machine.
  bool stress = false, energies_only = false, float64 = false, exact_filters = false;
  std::int64_t batch_atoms = 0;  ///< 0: the default of the device.
  std::string json_path{};       ///< Empty: none; "-": standard output.
  int n_threads = 0;
};

/// A new journal. `folder` is a folder in the tree of a journal, here and below.
struct JournalStartOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string target{}, title{};
  std::vector<std::string> sources{};
};

struct JournalShowOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  int step = 0;  ///< 0: a table of all steps.
  base::Formats formats{};
};

/// A journal as Markdown, or as an HTML page by the program that draws.
struct JournalExportOptions {
  std::string folder = ".";
  std::string out{};  ///< FILE.md or FILE.html.
  bool is_page() const { return out.ends_with(".html") || out.ends_with(".htm"); }
};

/// The answers to the questions of a work log (workbench/journal/entry.hpp).
struct JournalAnswers {
  std::string structure{}, measured{}, follows{}, limit{}, next{};
};

struct JournalNoteOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  int step = 0;  ///< 0: the last step.
  std::string message{};
  JournalAnswers answers{};
};

struct JournalStopOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string message{};
};

/// A step from a results file, or from a command that has just measured.
struct JournalAddOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string results{};  ///< A file; empty: nothing was timed.
  std::vector<std::string> sources{};
  std::vector<std::string> texts{};  ///< Triples: name, original file, file with the text.
  std::string command{}, rung{}, verdict{}, said{};
  JournalAnswers answers{};
  journal::Words words{};
  bool is_unasked = false;  ///< Called by another command: silent without an active journal.
};

/// The nvcc replacement and its arguments.
struct NvccOptions {
  static constexpr const char* program = "rafter-executor";
  std::vector<std::string> arguments{};
};

/// The command line needs no program: help was shown, or it was refused.
struct Finished {
  int exit_code = 0;
};

using Command =
    std::variant<Finished, RunOptions, BenchOptions, TuneOptions, PlotOptions, ReportOptions, CompareOptions,
                 VerifyOptions, ListOptions, DeviceOptions, ShowOptions, NewWorkloadOptions, ExecutorOptions,
                 ExplainOptions, TryOptions, TryChildOptions, JudgeOptions, JudgeChildOptions, SolveHeatOptions,
                 ClassifyOptions, ScoreOptions, ForcesOptions, JournalStartOptions, JournalShowOptions,
                 JournalExportOptions, JournalNoteOptions, JournalStopOptions, JournalAddOptions, NvccOptions>;

/// Parses the command line. Prints help and usage errors.
Command parse(int argc, char** argv);

}  // namespace rafter::cli
