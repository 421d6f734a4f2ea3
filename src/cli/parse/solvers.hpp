// The subcommands solve, classify, score and forces. Only for parse.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "cli/options.hpp"
#include "cli/parse/values.hpp"

namespace rafter::cli {

inline void add_heat_outputs(CLI::App& sub, SolveHeatOptions& o) {
  solve::HeatRequest& r = o.request;
  constexpr const char* files = "What is written";
  sub.add_option("--out", r.out, "Folder for fields, the index heat.xdmf and a checkpoint")->group(files);
  sub.add_option("--every", r.every, "Fields every so many steps (default: the first and the last)")->group(files);
  sub.add_option("--format", r.format, "Of fields: hdf5 (default), npy; hdf5+mesh is for meshio, too")->group(files);
  sub.add_option("--picture", r.picture, "FILE.png, .svg or .pdf: a slice at the end, with its scale")->group(files);
  sub.add_option("--picture-every", r.picture_every, "Pictures every so many steps too: FILE_STEP.png, ...")
      ->group(files);
  sub.add_option("--slice", r.slice, "AXIS or AXIS=CELL: z, y=12, x=0 (default: z, the middle)")->group(files);
  sub.add_option("--range", r.range, "LOW,HIGH of the picture's scale (default: the slice's own)")->group(files);
  sub.add_option("--probe", r.probe, "Cells 'Z,Y,X Z,Y,X ...' whose values are written over time")->group(files);
  sub.add_option("--probe-file", r.probe_file, "FILE.csv for them (default: probes.csv in --out)")->group(files);
  sub.add_option("--probe-every", r.probe_every, "Steps between its lines (default: as --report-every)")->group(files);
  sub.add_option("--checkpoint", r.checkpoint, "File to resume from (default: heat.checkpoint in --out)")->group(files);
  sub.add_option("--checkpoint-every", r.checkpoint_every, "Steps, or time: 500, 90s, 10m, 2h (default: 5m)")
      ->group(files);
  sub.add_option("--resume", r.resume, "Resume this checkpoint; the results have the same bits")->group(files);
  sub.add_flag("--overwrite", r.overwrite, "Replace the files of another run")->group(files);
  sub.add_option("--report-every", r.report_every, "Steps between lines (default: a tenth of them)")->group(files);
  sub.add_option("--json", o.json_path, "Write the outcome here ('-': standard output)")->group(files);
}

inline CLI::App* add_solve(CLI::App& app, SolveHeatOptions& o) {
  solve::HeatRequest& r = o.request;
  CLI::App* solve = app.add_subcommand("solve", "Solve an equation: heat");
  solve->footer("\nUse: rafter solve heat --help");
  CLI::App* sub = solve->add_subcommand("heat", "Diffusion on a grid: u_t = div(alpha grad u) + source, RK4");
  constexpr const char* problem = "The problem";
  sub->add_option("--grid", r.grid, "Cells: N, NY,NX (flat) or NZ,NY,NX (default: 128, or a file's)")->group(problem);
  sub->add_option("--spacing", r.spacing, "Between cells: H, HY,HX or HZ,HY,HX (default: 1)")->group(problem);
  sub->add_option("--alpha", r.alpha,
                  "Diffusivity: a number (default: 1), FILE.npy, FILE.h5 or an expression of x, y, z")
      ->group(problem);
  sub->add_option("--source", r.source,
                  "Added per time: a number, FILE.npy, FILE.h5 or an expression of x, y, z, t (default: none)")
      ->group(problem);
  sub->add_option("--capacity", r.capacity,
                  "Heat capacity per volume: likewise, without t; --alpha is then the conductivity (default: 1)")
      ->group(problem);
  sub->add_option("--order", r.order, "Of accuracy in space: 2, 4, 6, 8 (default: 8; 2 with an alpha per cell)")
      ->group(problem);
  sub->add_option("--boundary", r.boundary,
                  "frozen (default), periodic, zero-flux, value:G, flux:F or robin:H:U; or by face, below")
      ->group(problem);
  sub->add_option("--dt", r.dt, "Time step (default: 0.05 / (alpha * sum of 1/h^2))")->group(problem);
  sub->add_option("--dtype", r.dtype, "float32 (default) or float64, or a file's")->group(problem);
  sub->add_option("--steps", r.steps, "The end: steps from the beginning")->group(problem);
  sub->add_option("--time", r.time, "The end: time; dt shrinks to end there exactly")->group(problem);
  sub->add_option("--steady", r.steady, "End earlier, when no cell changes faster than this per time")->group(problem);
  constexpr const char* beginning = "The beginning";
  sub->add_option("--initial", r.initial,
                  "gaussian (default), hot-sphere, random, FILE.npy, FILE.h5[:DATASET], or an expression")
      ->group(beginning);
  sub->add_option("--amplitude", r.amplitude, "Its largest value (default: 1)")->group(beginning);
  sub->add_option("--width", r.width, "Of gaussian, part of the shortest side (default: 0.1, or two spacings)")
      ->group(beginning);
  sub->add_option("--radius", r.radius, "Of hot-sphere, likewise (default: 0.25)")->group(beginning);
  sub->add_option("--seed", r.seed, "Of random (default: a fresh one, printed)")->group(beginning);
  add_heat_outputs(*sub, o);
  sub->add_option("--config", o.config, "FILE with lines such as 'grid = 256'; options given here win")
      ->group("The machine");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)")->group("The machine");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)")->check(from_one())->group("The machine");
  sub->footer(R"(
Use:
  rafter solve heat --grid 256 --steps 1000 --every 100 --out run1 --picture run1/end.png
  rafter solve heat --initial u.npy --spacing 0.01 --time 0.02 --boundary periodic --out run2
  rafter solve heat --grid 90,90 --alpha a.npy --boundary zero-flux,x-=value:20,x+=flux:-5 --time 9
  rafter solve heat --resume run2/heat.checkpoint              after a crash, kill -9 or Ctrl-C
  rafter solve heat --resume run2/heat.checkpoint --time 0.1   further than planned

Expressions are of the coordinates x, y, z of a cell's centre, those of --source and faces also of the time t:
--initial 'exp(-(x-0.5)^2)', --boundary 'zero-flux,x-=value:20+5*sin(t)'. At robin:H:U, H * (U - u) flows in.
Faces are z, y and x, or one side of them, as x- and x+; the first word sets the others.
Frozen means the outer order/2 layers: four at order 8. A positive flux enters; a negative one leaves.
A resumed run keeps its problem and, unless changed, its outputs.
Exit code: 0 done, 1 the field is no longer finite, 2 it could not run, 130 stopped by a signal.)");
  return sub;
}

inline CLI::App* add_classify(CLI::App& app, ClassifyOptions& o) {
  CLI::App* sub = app.add_subcommand("classify", "LeNet on files of images: classes, accuracy, times of its layers");
  sub->add_option("--weights", o.weights, "Weight file: int32 10, then for each layer its count and floats")
      ->required();
  sub->add_option("--images", o.images,
                  "IDX or .npy, also .gz: (N, 86, 86) or (N, 1, 86, 86), uint8, or float32 in .npy")
      ->required();
  sub->add_flag("--resize", o.resize, "Scale images of other sizes to 86 x 86, such as 28 x 28");
  sub->add_option("--first", o.first, "Use only so many images")->check(from_one());
  sub->add_option("--labels", o.labels, "IDX or .npy of integers: (N), 0 to 9; gives accuracy and confusion matrix");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one; up to 256 images the CPU)");
  sub->add_option("--precision", o.precision, "Of the convolutions: fp32, or on a GPU tf32, fp16, split_fp16")
      ->capture_default_str();
  sub->add_option("--batch", o.batch, "Images at a time (default: 512, on the CPU 256)")->check(from_one());
  sub->add_option("--out,--output", o.output, "FILE.npy for the classes, (N) int32 ('-': standard output)");
  sub->add_option("--probabilities", o.probabilities, "FILE.npy for the probabilities: (N, 10) float32");
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--csv", o.csv_path, "Write the times of the layers here as CSV");
  sub->add_flag("--times", o.times, "Time the layers, too");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)")->check(from_one());
  sub->footer(R"(
Use:
  rafter classify --weights lenet.bin --images t10k-images.idx --labels t10k-labels.idx
  rafter classify --weights lenet.bin --images x.npy --out classes.npy --device cpu
  rafter classify --weights lenet.bin --images train-images-idx3-ubyte.gz --resize --first 1000
  rafter classify --weights lenet.bin --images x.npy --device cuda --precision fp16 --times

Pixels are raw, 0 to 255. With --times, "op" is the time of a layer on the device; then that of the whole layer
from host memory to host memory: copies in order, in order with pinned memory, and overlapped.
Exit code: 0 done, 1 sums of some images are not finite, 2 it could not run.)");
  return sub;
}

/// The training's parameters of the spectra. Those without a usual value have no default: other spectra give scores
/// that mean nothing.
inline void add_mel_options(CLI::App& sub, MelOptions& o) {
  sub.add_option("--sample-rate", o.sample_rate, "Of --wav: samples a second, as in the training")->check(from_one());
  sub.add_option("--fft", o.fft, "Samples of a frame, a power of 2")->check(from_one());
  sub.add_option("--hop", o.hop, "Samples from frame to frame")->check(from_one());
  sub.add_option("--mel-scale", o.scale, "slaney (librosa's default) or htk (torchaudio's)")
      ->check(CLI::IsMember({"slaney", "htk"}).description(""));
  sub.add_option("--mel-norm", o.norm, "Heights of the filters: slaney or none (default: none for htk)")
      ->check(CLI::IsMember({"slaney", "none"}).description(""));
  sub.add_option("--fmin", o.f_min, "The lowest edge of the filters in Hz")->capture_default_str();
  sub.add_option("--fmax", o.f_max, "The highest edge (default: half the sample rate)")->check(above_zero());
  sub.add_option("--power", o.power, "Of the magnitudes: 2 or 1")->check(above_zero())->capture_default_str();
  sub.add_option("--pad", o.padding, "Half a frame at both ends: zeros, reflect or none")
      ->check(CLI::IsMember({"zeros", "reflect", "none"}).description(""))
      ->capture_default_str();
  sub.add_option("--log", o.logarithm, "db (20/power log10), ln, log10 or none")
      ->check(CLI::IsMember({"db", "ln", "log10", "none"}).description(""))
      ->capture_default_str();
  sub.add_option("--floor", o.floor, "Smaller values are raised to it (default: 2.22e-16)")->check(above_zero());
  sub.add_option("--channel", o.channel, "A channel from 0 on, or mean (default: the only one)");
  sub.add_option("--window-hop", o.window_hop, "Frames from window to window")
      ->check(from_one())
      ->capture_default_str();
}

inline CLI::App* add_score(CLI::App& app, ScoreOptions& o) {
  CLI::App* sub = app.add_subcommand("score", "Anomaly scores: how well a model reconstructs the windows of a file");
  sub->add_option("--model", o.model, "FILE.safetensors of a SpectralShapeAutoencoder, as PyTorch names its tensors")
      ->required();
  sub->add_option("--input", o.input,
                  "FILE.npy: (N, frames, mels) or (N, frames*mels), float16, float32 or float64 ('-': standard input)");
  sub->add_option("--wav", o.wav, "FILE.wav or a folder of them, instead: windows of mel spectra (repeatable)")
      ->allow_extra_args(false);
  sub->add_option("--out,--output", o.output, "FILE.npy for the scores, (N) float32 ('-': standard output)");
  sub->add_option("--labels", o.labels,
                  "FILE.npy: (N), 1 for anomalies, 0 for others; gives AUC and threshold; of --wav FILE.csv");
  sub->add_option("--recordings", o.recordings, "FILE.npy: (N) integers, the recording of each window");
  sub->add_option("--recording-scores", o.recording_scores, "FILE.csv for the scores of the recordings");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)");
  sub->add_option("--precision", o.precision, "Of the products: fp32, or on a GPU tf32, bf16")->capture_default_str();
  sub->add_option("--batch", o.batch, "Windows at a time (default: 8 MiB of them)")->check(from_one());
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)")->check(from_one());
  add_mel_options(*sub, o.mel);
  sub->footer(R"(
Use:
  rafter score --model m.safetensors --input windows.npy --out scores.npy
  rafter score --model m.safetensors --wav recordings/ --sample-rate 16000 --fft 1024 --hop 512 --mel-scale slaney
  rafter score --model m.safetensors --input windows.npy --device cuda --precision bf16 --json -

A score is the mean squared error of a window's reconstruction: high where a window is unlike
those the model was trained on. A recording's score is the mean of its windows. The file may be larger than memory; it is read in pieces.
Exit code: 0 done, 1 some scores are not finite, 2 it could not run, 130 stopped by a signal.)");
  return sub;
}

inline CLI::App* add_forces(CLI::App& app, ForcesOptions& o) {
  CLI::App* sub = app.add_subcommand("forces", "Energies and forces: a message-passing network on molecules of a file");
  sub->add_option("molecules", o.molecules, "FILE.xyz, plain or extended XYZ, many frames ('-': standard input)")
      ->required();
  sub->add_option("--model", o.model, "FILE.safetensors of a student or a PaiNN, with PyTorch's names");
  sub->add_option("--random-model", o.random_model, "student or painn with random weights, to try it without a file");
  sub->add_option("--seed", o.seed, "Of --random-model")->capture_default_str();
  sub->add_option("--energy-unit", o.energy_unit,
                  "Of the model: eV, meV, kcal/mol, kJ/mol, Hartree (default: as its file says, or eV)");
  sub->add_option("--cutoff", o.cutoff, "Of a student with trained radial functions, in Angstrom")->check(above_zero());
  sub->add_option("--out", o.output, "FILE.extxyz for the results, the same frames in order ('-': standard output)");
  sub->add_flag("--stress", o.stress, "Write virials too, and stresses of cells");
  sub->add_flag("--energies-only", o.energies_only, "Calculate no forces");
  sub->add_flag("--float64", o.float64, "Calculate in float64, with exact filters");
  sub->add_flag("--exact-filters", o.exact_filters, "Calculate filters by their network, not from a table");
  sub->add_option("--device", o.device, "cpu or cuda (default: the best one present)");
  sub->add_option("--batch-atoms", o.batch_atoms, "Atoms at a time (default: 131072, on the CPU 1024 a thread)")
      ->check(from_one());
  sub->add_option("--json", o.json_path, "Write the outcome here ('-': standard output)");
  sub->add_option("--threads", o.n_threads, "CPU threads (default: all)")->check(from_one());
  sub->footer(R"(
Use:
  rafter forces molecules.xyz --model m.safetensors --out forces.extxyz
  rafter forces molecules.xyz --random-model painn --out forces.extxyz
  zcat crystals.extxyz.gz | rafter forces - --model m.safetensors --stress --out stresses.extxyz

Angstrom and eV; a model in other units is converted. The file may be larger than memory; it is read in pieces. A frame that is
malformed or cannot be calculated is skipped and named with its line; the others are done.
Exit code: 0 done, 1 some frames were skipped, 2 it could not run, 130 stopped by a signal.)");
  return sub;
}

}  // namespace rafter::cli
