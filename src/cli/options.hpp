// What the user asked for: one struct per subcommand, which says the program that performs it.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "workbench/journal/record.hpp"

namespace rafter::cli {

struct RunOptions {                      ///< of three programs, see programs.cpp
  std::vector<std::string> workloads{};  ///< empty: the main job, all of them
  std::string device{};                  ///< empty: the best one present
  std::string size{};
  /// NAME=VALUE[,VALUE...] of --set, and --NAME=VALUE[,VALUE...] of options that are none of run's own.
  std::vector<std::string> settings{};
  std::vector<std::string> own_options{};  ///< the names of run's own, for suggestions: "--device", ...
  std::vector<std::string> rungs{};
  std::vector<std::string> load{};  ///< folders of workloads that take the place of ours
  bool check = false;               ///< every rung at awkward sizes, no times
  std::string json_path{};          ///< empty: a file of its own in the results folder; "-": standard output
  std::string csv_path{};           ///< empty: none; "-": standard output
  std::string regime = "cold";
  bool all_regimes = false;
  bool stages = false;
  bool quick = false;
  double seconds = 0;  ///< of timing for each rung; 0: as many as the run has time for
  std::string seed{};  ///< empty: a fresh one
  int n_threads = 0;
  std::string plot_path{};  ///< empty: none
  std::string continued{};  ///< a results file whose run goes on; empty: none
  journal::Event event{};   ///< what a journal is told beside the results: your words; sources and rung of a bench
  bool is_told = true;      ///< to a journal; or the caller does that
};

/// A plot of results that were kept.
struct PlotOptions {
  static constexpr const char* program = "rafter-plot";
  std::string results{};    ///< a file
  std::string picture{};    ///< the file to draw
  std::string parameter{};  ///< empty: the one that was swept
  std::string kind{};       ///< sweep, ladder or roofline; empty: a sweep where there is one, otherwise the ladder
};

/// Results as a page.
struct ReportOptions {
  static constexpr const char* program = "rafter-report";
  std::vector<std::string> results{};   ///< files
  std::vector<std::string> journals{};  ///< folders in their trees
  std::string out{};                    ///< the page; "-": standard output
  std::string title = "Measured with Rafter";
};

/// Kernels of anybody, verified and measured; or the launches of a whole program.
struct BenchOptions {
  static constexpr const char* program = "rafter-bench";
  std::vector<std::string> build{};  ///< the file and compiler options, as nvcc takes them
  std::vector<std::string> kernels{}, references{}, settings{}, grids{}, blocks{}, shared{}, arguments{};
  std::string bytes{}, flops{};
  double tolerance = 0;  ///< 0: the type's own
  std::string device{};  ///< cuda or simt; empty: a GPU if there is one
  double time_limit_s = 10;
  std::string seed{};  ///< empty: a fresh one
  bool quick = false, all_regimes = false;
  std::string json_path{};                       ///< empty: a file of its own in the results folder
  std::string csv_path{};                        ///< empty: none
  std::vector<std::string> program_arguments{};  ///< of a whole program
  journal::Words words{};
};

/// A kernel with macros: the best of their values. Or workloads of ours: whether what they launch with is right here.
struct TuneOptions {
  BenchOptions bench{};             ///< of the kernel, one; what it builds may be workloads
  bool check = false;               ///< of all ops, or these
  bool keep = false;                ///< what is better, in the file that ops read
  std::vector<std::string> load{};  ///< as of a run
  std::vector<std::string> parameters{};
  std::string where{};
  int most_points = 1000, n_finalists = 6;
};

/// Before and after: two results files, or two builds that are measured in turns.
struct CompareOptions {
  static constexpr const char* program = "rafter-compare";
  std::vector<std::string> files{};
  std::vector<std::string> builds{};  ///< two folders, or none
  std::vector<std::string> run{};     ///< what 'rafter run' of the builds is given
  int most_rounds = 200;
  bool anyway = false;      ///< also where the machines differ
  std::string json_path{};  ///< empty: none; "-": standard output
  std::string csv_path{};   ///< the same
};

struct ListOptions {
  std::string workload{};
  std::vector<std::string> load{};  ///< as of a run
  bool json = false, csv = false;
};

struct DeviceOptions {
  static constexpr const char* program = "rafter-run";
  bool remeasure = false;
  bool json = false, csv = false;
  int n_threads = 0;
};

struct ShowOptions {
  std::string workload{};
  std::string rung{};
  std::string device{};
  std::vector<std::string> load{};  ///< as of a run
  bool json = false, csv = false;
};

/// A folder with a workload to begin from.
struct NewWorkloadOptions {
  static constexpr const char* program = "rafter-new";
  std::string name{};
  std::string folder{};  ///< empty: the name
};

/// exec, check and profile: a CUDA program, or one kernel of a file, on the executor.
struct ExecutorOptions {
  static constexpr const char* program = "rafter-executor";
  enum class Action { exec, check, profile };
  Action action = Action::exec;
  std::vector<std::string> build{};  ///< files and compiler options, as nvcc takes them; or a program built so
  std::vector<std::string> program_arguments{};  ///< its own arguments, after --
  std::string schedule{};                        ///< a seed; empty: the natural order
  double time_limit_s = 0;                       ///< 0: none
  bool reads_terminal = false;
  bool in_step = false;
  bool leaks = false;
  bool isolate = false;
  bool strict = false;
  bool json = false, csv = false;
  int n_threads = 0;
  std::string nvcc_wrapper{};
  std::string kernel{};                 ///< a bare kernel: its name, shape and arguments
  std::vector<std::string> settings{};  ///< sizes by name; grid, block, shared memory and arguments may use them
  std::string grid{}, block{}, shared{};
  std::vector<std::string> arguments{}, saves{};
  std::int64_t sample = 0;  ///< blocks of each launch that run; 0: all
  double patience_s = 0;    ///< until a launch is given up that gets nowhere; 0: as the executor has it
  bool quiet = false;       ///< nobody hears what the program says
};

/// What limits a kernel, and what to try next: of a CUDA program or a bare kernel, or of a rung of ours.
struct ExplainOptions {                 ///< of three programs, see programs.cpp
  ExecutorOptions kernel{};             ///< its words are files and nvcc's options, or a workload and a rung
  std::vector<std::string> settings{};  ///< parameters of a workload, as run has them
  std::vector<std::string> load{};      ///< as of a run
  std::string size{}, device{};
  std::string gpu = "H200";
  journal::Words words{};
  std::string blocks{};  ///< of a launch that run on the executor: a number or "all"; empty: as many as tell enough
  std::string times{};   ///< a results file with the kernel's times on a GPU
  bool json = false;
  int n_threads = 0;

  bool is_of_workload() const;
};

/// A learner's kernel, held against an exercise.
struct TryOptions {
  static constexpr const char* program = "rafter-trial";
  std::string exercise{};  ///< a workload, or the name of an exercise's kernel
  std::string file{};
  std::string kernel{};  ///< the kernel's name in the file, where it is another
  std::string block{};   ///< threads: X[,Y[,Z]]; empty: as the exercise has it
  double time_limit_s = 10;
  bool list = false;
  bool starter = false;
  bool json = false, csv = false;
  journal::Words words{};
};

/// The part of it that runs a stranger's kernel on a GPU, in a process of its own.
struct TryChildOptions {
  static constexpr const char* program = "rafter-trial";
  std::string job{};  ///< a file
};

/// A heat run. All as typed; empty where nothing was said, so that a resumed run can tell.
struct SolveHeatOptions {
  static constexpr const char* program = "rafter-solve";
  std::string grid{}, spacing{}, alpha{}, source{}, order{}, boundary{}, dt{}, dtype{};
  std::string steps{}, time{};
  std::string initial{}, amplitude{}, width{}, radius{}, seed{};
  std::string out{}, every{}, format{};
  std::string picture{}, picture_every{}, slice{}, range{};
  std::string checkpoint{}, checkpoint_every{}, resume{};
  bool overwrite = false;
  std::string device{};  ///< empty: the best one present
  int n_threads = 0;
  std::string report_every{};
  std::string json_path{};  ///< empty: none; "-": standard output
};

/// LeNet on files of images.
struct ClassifyOptions {
  static constexpr const char* program = "rafter-classify";
  std::string weights{}, images{}, labels{};
  std::string device{};  ///< empty: the best one present
  std::string precision = "fp32";
  std::int64_t batch = 0;  ///< 0: the device's own
  std::string output{}, probabilities{};
  std::string json_path{};  ///< empty: none; "-": standard output
  std::string csv_path{};   ///< the same
  int n_threads = 0;
};

/// A model's scores of windows.
struct ScoreOptions {
  static constexpr const char* program = "rafter-score";
  std::string model{}, input{}, output{};
  std::string device{};  ///< empty: the best one present
  std::string precision = "fp32";
  std::int64_t batch = 0;   ///< 0: 8 MiB of windows
  std::string json_path{};  ///< empty: none; "-": standard output
  int n_threads = 0;
};

/// A model's energies and forces of molecules.
struct ForcesOptions {
  static constexpr const char* program = "rafter-forces";
  std::string molecules{};  ///< "-": standard input
  std::string model{}, random_model{}, output{};
  std::int64_t seed = 1;  ///< of random_model
  std::string device{};   ///< empty: the best one present
  bool stress = false, energies_only = false, float64 = false, exact_filters = false;
  std::int64_t batch_atoms = 0;  ///< 0: the device's own
  std::string json_path{};       ///< empty: none; "-": standard output
  int n_threads = 0;
};

/// A journal begins. In all of these `folder` is one in a journal's tree.
struct JournalStartOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string target{}, title{};
  std::vector<std::string> sources{};
};

struct JournalShowOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  int step = 0;  ///< 0: all of them, in short
  bool json = false, csv = false;
};

/// As Markdown; as a page, which is drawn on, by the program that makes pages.
struct JournalExportOptions {
  std::string folder = ".";
  std::string out{};  ///< FILE.md or FILE.html
  bool is_page() const { return out.ends_with(".html") || out.ends_with(".htm"); }
};

/// The questions of a work log (workbench/journal/entry.hpp).
struct JournalAnswers {
  std::string structure{}, measured{}, follows{}, limit{}, next{};
};

struct JournalNoteOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  int step = 0;  ///< 0: the last one
  std::string message{};
  JournalAnswers answers{};
};

struct JournalStopOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string message{};
};

/// A step, from a results file or from a command that has just measured.
struct JournalAddOptions {
  static constexpr const char* program = "rafter-journal";
  std::string folder = ".";
  std::string results{};  ///< a file; empty: nothing was timed
  std::vector<std::string> sources{};
  std::vector<std::string> texts{};  ///< name, file as it is known, file with the text; and again
  std::string command{}, rung{}, verdict{}, said{};
  JournalAnswers answers{};
  journal::Words words{};
  bool is_unasked = false;  ///< by a command: where no journal goes on, nothing is said
};

/// The stand-in nvcc: its arguments as they are.
struct NvccOptions {
  static constexpr const char* program = "rafter-executor";
  std::vector<std::string> arguments{};
};

/// Nothing to do but end with this code: help was shown, or the command line was refused.
struct Finished {
  int exit_code = 0;
};

using Command =
    std::variant<Finished, RunOptions, BenchOptions, TuneOptions, PlotOptions, ReportOptions, CompareOptions,
                 ListOptions, DeviceOptions, ShowOptions, NewWorkloadOptions, ExecutorOptions, ExplainOptions,
                 TryOptions, TryChildOptions, SolveHeatOptions, ClassifyOptions, ScoreOptions, ForcesOptions,
                 JournalStartOptions, JournalShowOptions, JournalExportOptions, JournalNoteOptions, JournalStopOptions,
                 JournalAddOptions, NvccOptions>;

/// Reads the command line; prints help or a complaint itself.
Command parse(int argc, char** argv);

}  // namespace rafter::cli
