#include "apps/forces/computing.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>

#include "apps/forces/xyz_writer.hpp"
#include "base/outputs.hpp"
#include "library/core/cpu/affinity.hpp"
#include "rafter/buffer.hpp"

namespace rafter::forces {

namespace {

struct FrameBatch {
  std::vector<Frame> frames;
  std::vector<SkippedFrame> skipped;
  std::int64_t n_bytes_read = 0;
  bool is_last = false;
};

/// Reads a batch of frames with about `n_atoms` atoms. An empty or skipped frame counts as one atom.
FrameBatch read_batch(XyzReader& reader, std::int64_t n_atoms) {
  FrameBatch batch;
  while (n_atoms > 0 && !batch.is_last) {
    auto next = reader.next();
    batch.is_last = !next;
    if (!next) continue;
    if (auto* frame = std::get_if<Frame>(&*next)) {
      n_atoms -= std::max<std::int64_t>(1, frame->n_atoms());
      batch.frames.push_back(std::move(*frame));
    } else {
      --n_atoms;
      batch.skipped.push_back(std::move(std::get<SkippedFrame>(*next)));
    }
  }
  batch.n_bytes_read = reader.n_bytes();
  return batch;
}

/// Reads the next batch while another is computed.
class BatchReader {
 public:
  BatchReader(XyzReader& reader, std::int64_t n_atoms) : reader_(reader), n_atoms_(n_atoms) { start(); }

  FrameBatch next() {
    FrameBatch batch = reading_.get();
    if (!batch.is_last) start();
    return batch;
  }

 private:
  void start() {
    reading_ = std::async(std::launch::async, [this] {
      const core::AllCores anywhere;  // the calling thread may be pinned to one core
      return read_batch(reader_, n_atoms_);
    });
  }

  XyzReader& reader_;
  std::int64_t n_atoms_;
  std::future<FrameBatch> reading_;
};

/// The concatenated results of a batch's frames.
template <class T>
struct BatchResults {
  std::vector<double> energies;  // [frames]
  std::vector<T> forces;         // [atoms][3], or empty
  std::vector<double> virials;   // [frames][3][3], or empty
};

MoleculeBatch molecules_of(const Stream& stream, const std::vector<Frame>& frames) {
  std::vector<std::int64_t> sizes;
  std::vector<std::int32_t> elements;
  std::vector<UnitCell> cells;
  bool has_cells = false;
  for (const Frame& frame : frames) {
    sizes.push_back(frame.n_atoms());
    elements.insert(elements.end(), frame.elements.begin(), frame.elements.end());
    cells.push_back(frame.cell.value_or(UnitCell{}));
    has_cells = has_cells || cells.back().repeats();
  }
  if (!has_cells) cells.clear();
  return {stream, sizes, elements, cells};
}

/// Returns the positions relative to the centre of each molecule.
template <class T>
std::vector<T> positions_of(const std::vector<Frame>& frames) {
  std::vector<T> positions;
  for (const Frame& frame : frames) {
    std::array<double, 3> low{}, high{};
    for (std::size_t i = 0; i < frame.positions.size(); ++i) {
      const double x = frame.positions[i];
      low[i % 3] = i < 3 ? x : std::min(low[i % 3], x);
      high[i % 3] = i < 3 ? x : std::max(high[i % 3], x);
    }
    for (std::size_t i = 0; i < frame.positions.size(); ++i)
      positions.push_back(static_cast<T>(frame.positions[i] - (low[i % 3] + high[i % 3]) / 2));
  }
  return positions;
}

template <class T>
BatchResults<T> compute_batch(const Stream& stream, const ForceField& model, const std::vector<Frame>& frames,
                              Results wanted) {
  const MoleculeBatch molecules = molecules_of(stream, frames);
  const std::vector<T> host_positions = positions_of<T>(frames);
  const Buffer<T> positions(stream, host_positions);
  Buffer<double> energies(stream, molecules.n_molecules());
  Buffer<T> forces(stream, wanted == Results::energies ? 0 : 3 * molecules.n_atoms());
  Buffer<double> virials(stream, wanted == Results::forces_and_virials ? 9 * molecules.n_molecules() : 0);
  model.compute(stream, molecules, positions.span(), {energies.span(), forces.span(), virials.span()});
  const auto size_of = [](const auto& buffer) { return static_cast<std::size_t>(buffer.size()); };
  BatchResults<T> results{std::vector<double>(size_of(energies)), std::vector<T>(size_of(forces)),
                          std::vector<double>(size_of(virials))};
  energies.copy_to(results.energies);
  forces.copy_to(results.forces);
  virials.copy_to(results.virials);
  return results;
}

template <class T>
void apply(const ResultScale& scale, const std::vector<Frame>& frames, BatchResults<T>& results) {
  for (std::size_t i = 0; i < frames.size(); ++i) {
    for (const std::int32_t element : frames[i].elements) {
      if (!scale.energy_offsets.empty())
        results.energies[i] += scale.energy_offsets.at(static_cast<std::size_t>(element));
    }
  }
  if (scale.electronvolts == 1) return;
  for (double& energy : results.energies) energy *= scale.electronvolts;
  for (T& force : results.forces) force = static_cast<T>(static_cast<double>(force) * scale.electronvolts);
  for (double& virial : results.virials) virial *= scale.electronvolts;
}

template <class T>
bool is_finite(const FrameResults<T>& results) {
  const auto finite = [](auto value) { return std::isfinite(value); };
  return std::isfinite(results.energy) && std::all_of(results.forces.begin(), results.forces.end(), finite) &&
         (!results.virial || std::all_of(results.virial->begin(), results.virial->end(), finite));
}

/// Returns views of each frame's results in `results`.
template <class T>
std::vector<FrameResults<T>> results_of(const std::vector<Frame>& frames, const BatchResults<T>& results) {
  std::vector<FrameResults<T>> of_frames;
  std::size_t first_force = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    FrameResults<T>& of_frame = of_frames.emplace_back(FrameResults<T>{.energy = results.energies[i]});
    const std::size_t n_forces = frames[i].positions.size();
    if (!results.forces.empty()) of_frame.forces = std::span(results.forces).subspan(first_force, n_forces);
    first_force += n_forces;
    if (results.virials.empty()) continue;
    of_frame.virial.emplace();
    std::copy_n(results.virials.data() + 9 * i, 9, of_frame.virial->data());
  }
  return of_frames;
}

template <class T>
std::string text_of(std::span<const Frame> frames, std::span<const FrameResults<T>> results) {
  std::string text;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (is_finite(results[i])) append_frame(text, frames[i], results[i]);
  }
  return text;
}

/// Writes a batch while another is computed.
template <class T>
class BatchWriter {
 public:
  explicit BatchWriter(const std::filesystem::path& path) : file_(path) {}

  void write(std::vector<Frame> frames, BatchResults<T> results) {
    wait();
    writing_ = std::async(std::launch::async, [this, frames = std::move(frames), results = std::move(results)] {
      const core::AllCores anywhere;
      write_now(frames, results_of(frames, results));
    });
  }
  void wait() {
    if (writing_.valid()) writing_.get();
  }
  void commit() {
    wait();
    file_.commit();
  }

 private:
  /// Formats numbers in several threads: it takes longer than a GPU takes to compute them.
  void write_now(std::span<const Frame> frames, std::span<const FrameResults<T>> results) const {
    constexpr std::size_t most_threads = 8;
    const std::size_t n_threads = std::min<std::size_t>(most_threads, static_cast<std::size_t>(core::n_usable_cores()));
    const std::size_t n_each = frames.size() / n_threads + 1;
    std::vector<std::future<std::string>> texts;
    for (std::size_t first = 0; first < frames.size(); first += n_each) {
      const std::size_t n = std::min(n_each, frames.size() - first);
      texts.push_back(std::async(std::launch::async, text_of<T>, frames.subspan(first, n), results.subspan(first, n)));
    }
    for (auto& text : texts) {
      const std::string part = text.get();
      const std::array<std::string_view, 1> parts{part};
      file_.write(parts);
    }
  }

  base::StreamedOutput file_;
  std::future<void> writing_;  // the last member: the writing ends before its buffers are destroyed
};

/// Adds a batch's frames to the summary, in the order of the file.
template <class T>
void add_batch(ForcesSummary& summary, FrameBatch& batch, const BatchResults<T>& results) {
  const std::vector<FrameResults<T>> of_frames = results_of(batch.frames, results);
  for (std::size_t i = 0; i < of_frames.size(); ++i) {
    const Frame& frame = batch.frames[i];
    if (is_finite(of_frames[i])) {
      summary.add(frame, of_frames[i].energy, of_frames[i].forces);
      continue;
    }
    batch.skipped.push_back({.index = frame.index,
                             .line = frame.line,
                             .first_line = frame.line,
                             .last_line = frame.line_of(frame.n_atoms()) - 1,
                             .reason = "its energy or a force is not finite"});
  }
  std::sort(batch.skipped.begin(), batch.skipped.end(), [](const auto& a, const auto& b) { return a.index < b.index; });
  for (const SkippedFrame& skipped : batch.skipped) summary.add(skipped);
}

template <class T>
ForcesOutcome compute_all(const Stream& stream, const ForceField& model, XyzReader& frames, const ForcesJob& job,
                          const ForcesWatcher& watcher) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<BatchWriter<T>> output;
  if (job.output) output.emplace(*job.output);
  BatchReader reader(frames, job.batch_atoms);
  ForcesOutcome outcome;
  for (bool is_last = false; !is_last && !(outcome.stopped = watcher.stop());) {
    FrameBatch batch = reader.next();
    is_last = batch.is_last;
    BatchResults<T> results;
    if (!batch.frames.empty()) results = compute_batch<T>(stream, model, batch.frames, job.results);
    apply(job.scale, batch.frames, results);
    add_batch(outcome.summary, batch, results);
    if (output) output->write(std::move(batch.frames), std::move(results));
    watcher.progress(outcome.summary, batch.n_bytes_read);
  }
  outcome.stopped = outcome.stopped || watcher.stop();
  if (output && !outcome.stopped && outcome.summary.n_frames() > 0) output->commit();
  outcome.elapsed_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

}  // namespace

std::int64_t usual_batch_atoms(const Stream& stream) {
  return stream.device() == Device::cuda ? 1 << 17 : 1024 * stream.n_threads();
}

ForcesOutcome compute_frames(const Stream& stream, const ForceField& model, XyzReader& reader, const ForcesJob& job,
                             const ForcesWatcher& watcher) {
  return job.arithmetic == Arithmetic::float64 ? compute_all<double>(stream, model, reader, job, watcher)
                                               : compute_all<float>(stream, model, reader, job, watcher);
}

}  // namespace rafter::forces
