// Generates host code that submits kernels, copies and fills to streams, with events and waits, and accesses managed
// memory itself. The unordered pairs are known.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generated.hpp"

namespace rafter::simt::test {

/// A task or a host access; a part of memory is half a buffer.
struct Task {
  int line = 0;
  std::set<int> reads, writes, adds;  // parts; adds: atomically
  bool is_host = false;

  bool conflicts(const Task& other) const {
    const auto meet = [](const std::set<int>& a, const std::set<int>& b) {
      return std::any_of(a.begin(), a.end(), [&](int part) { return b.count(part) > 0; });
    };
    return meet(writes, other.writes) || meet(writes, other.reads) || meet(reads, other.writes) ||
           meet(adds, other.reads) || meet(adds, other.writes) || meet(reads, other.adds) || meet(writes, other.adds);
  }
};

/// The tasks that each stream, event and the host are ordered after. Stream 0 is the legacy default stream: a task in
/// it waits for all blocking streams, which then wait for it. The last stream is non-blocking.
class TaskOrder {
 public:
  static constexpr int n_streams = 4, n_events = 2, non_blocking = n_streams - 1;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  /// Returns the tasks that a new task of the stream is ordered after.
  std::set<int> before(int stream) const {
    std::set<int> all = host_;
    for (int s = 0; s < n_streams; ++s) {
      if (s == stream || (stream == 0 && s < non_blocking)) add(all, streams_[index(s)]);
    }
    return all;
  }
  void give(int stream, int task) { act(stream, {task}); }
  void record(int event, int stream) {
    act(stream, {});
    events_[index(event)] = streams_[index(stream)];
  }
  void wait(int stream, int event) { act(stream, events_[index(event)]); }
  void host_waits_for_event(int event) { add(host_, events_[index(event)]); }
  void host_waits_for_stream(int stream) { add(host_, streams_[index(stream)]); }
  const std::set<int>& host() const { return host_; }

 private:
  static void add(std::set<int>& to, const std::set<int>& tasks) { to.insert(tasks.begin(), tasks.end()); }
  void act(int stream, const std::set<int>& news) {
    std::set<int> all = before(stream);
    add(all, news);
    for (int s = 0; s < n_streams; ++s) {
      if (s == stream || (stream == 0 && s < non_blocking)) add(streams_[index(s)], all);
    }
  }

  std::array<std::set<int>, n_streams> streams_;
  std::array<std::set<int>, n_events> events_;
  std::set<int> host_;
};

struct StreamCase {
  int first_line = 0, last_line = 0, first_kernel_line = 0, last_kernel_line = 0;
  std::set<LinePair> races;
  std::set<LinePair> first_races;  // races of the first task that races: nothing has been reported before

  bool has(int line) const {
    return (line >= first_line && line <= last_line) || (line >= first_kernel_line && line <= last_kernel_line);
  }
};

/// Generates a program of such cases; each ends with a wait for everything.
class StreamProgram {
 public:
  StreamProgram(int n_cases, std::uint64_t seed) : random_(seed) {
    // Kernels precede main: they are generated first, so that their lines are known.
    for (int i = 0; i < n_cases; ++i) make(i);
    text_ = "#include <cuda_runtime.h>\ncudaStream_t streams[4];\ncudaEvent_t events[2];\nint* buffer[3];\nint seen;\n";
    const int kernels_at = count(text_);
    text_ += kernels_;
    const int cases_at = count(text_);
    text_ += host_;
    text_ +=
        "int main() {\n  for (int i = 1; i < 3; ++i) cudaStreamCreate(&streams[i]);\n"
        "  cudaStreamCreateWithFlags(&streams[3], cudaStreamNonBlocking);\n"
        "  for (cudaEvent_t& e : events) cudaEventCreate(&e), cudaEventRecord(e);\n"
        "  for (int*& p : buffer) cudaMallocManaged(&p, 128), cudaMemset(p, 0, 128);\n  cudaDeviceSynchronize();\n";
    for (int i = 0; i < n_cases; ++i) text_ += "  case_" + std::to_string(i) + "();\n";
    text_ += "  return seen < 0;\n}\n";
    for (Draft& draft : drafts_) settle(draft, kernels_at, cases_at);
  }

  const std::string& text() const { return text_; }
  const std::vector<StreamCase>& cases() const { return cases_; }

 private:
  struct Draft {
    StreamCase lines;
    std::vector<Task> tasks;                 // lines: of kernels if negative, counted from 1
    std::vector<std::pair<int, int>> races;  // pairs of tasks
  };

  static int count(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }
  int one_of(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  static std::string at(int part) {
    return "buffer[" + std::to_string(part / 2) + "] + " + std::to_string(part % 2 * 16);
  }
  static std::string stream(int s) { return "streams[" + std::to_string(s) + "]"; }
  int host_line(const std::string& text) {
    host_ += "  " + text + "\n";
    return count(host_);
  }

  /// Generates a kernel that reads, writes or adds to a part.
  void launch(Task& task, int s) {
    const int part = one_of(6), what = one_of(3);
    const std::string name = "kernel_" + std::to_string(n_kernels_++);
    constexpr std::array<const char*, 3> bodies{"if (p[threadIdx.x] == -7) __trap();", "p[threadIdx.x] = threadIdx.x;",
                                                "atomicAdd(&p[threadIdx.x], 1);"};
    (what == 0 ? task.reads : what == 1 ? task.writes : task.adds).insert(part);
    kernels_ += "__global__ void " + name + "(int* p) { " + bodies[static_cast<std::size_t>(what)] + " }\n";
    task.line = -count(kernels_);
    host_line(name + "<<<1, 16, 0, " + stream(s) + ">>>(" + at(part) + ");");
  }

  void copy(Task& task, int s) {
    const int from = one_of(6), to = (from + 1 + one_of(5)) % 6;
    task.reads.insert(from), task.writes.insert(to);
    task.line = host_line("cudaMemcpyAsync(" + at(to) + ", " + at(from) + ", 64, cudaMemcpyDeviceToDevice, " +
                          stream(s) + ");");
  }

  void fill(Task& task, int s) {
    const int part = one_of(6);
    task.writes.insert(part);
    task.line = host_line("cudaMemsetAsync(" + at(part) + ", 0, 64, " + stream(s) + ");");
  }

  void touch(Task& task) {
    const int part = one_of(6);
    const bool writes = one_of(2) > 0;
    task.is_host = true;
    (writes ? task.writes : task.reads).insert(part);
    task.line = host_line(writes ? "(" + at(part) + ")[3] = 1;" : "seen += (" + at(part) + ")[3];");
  }

  void order(TaskOrder& order) {
    const int s = one_of(TaskOrder::n_streams), e = one_of(TaskOrder::n_events), what = one_of(9);
    const std::string event = "events[" + std::to_string(e) + "]";
    if (what < 3) {
      order.record(e, s);
      host_line("cudaEventRecord(" + event + ", " + stream(s) + ");");
    } else if (what < 6) {
      order.wait(s, e);
      host_line("cudaStreamWaitEvent(" + stream(s) + ", " + event + ");");
    } else if (what == 6) {
      order.host_waits_for_event(e);
      host_line("cudaEventSynchronize(" + event + ");");
    } else if (s != 0) {
      order.host_waits_for_stream(s);
      host_line("cudaStreamSynchronize(" + stream(s) + ");");
    }
  }

  void make(int number) {
    Draft draft;
    TaskOrder clocks;
    draft.lines.first_kernel_line = count(kernels_) + 1;
    host_ += "void case_" + std::to_string(number) + "() {\n";
    draft.lines.first_line = count(host_);
    for (int n = 3 + one_of(6); n > 0; --n) {
      const int s = one_of(TaskOrder::n_streams), what = one_of(8), id = static_cast<int>(draft.tasks.size());
      Task task;
      if (what < 4) launch(task, s);
      if (what == 4) copy(task, s);
      if (what == 5) fill(task, s);
      if (what > 5) touch(task);
      const std::set<int> known = task.is_host ? clocks.host() : clocks.before(s);
      for (int other = 0; other < id; ++other) {
        const Task& earlier = draft.tasks[TaskOrder::index(other)];
        if (!earlier.is_host && !known.count(other) && earlier.conflicts(task)) draft.races.push_back({other, id});
      }
      if (!task.is_host) clocks.give(s, id);
      draft.tasks.push_back(task);
      while (one_of(2) > 0) order(clocks);
    }
    host_ += "  cudaDeviceSynchronize();\n}\n";
    draft.lines.last_line = count(host_), draft.lines.last_kernel_line = count(kernels_);
    drafts_.push_back(draft);
  }

  void settle(Draft& draft, int kernels_at, int cases_at) {
    StreamCase& made = draft.lines;
    made.first_line += cases_at, made.last_line += cases_at;
    made.first_kernel_line += kernels_at, made.last_kernel_line += kernels_at;
    const auto line = [&](int task) {
      const int at = draft.tasks[TaskOrder::index(task)].line;
      return at < 0 ? kernels_at - at : cases_at + at;
    };
    for (const auto& [a, b] : draft.races) {
      const LinePair pair = std::minmax({line(a), line(b)});
      made.races.insert(pair);
      if (b == draft.races.front().second) made.first_races.insert(pair);
    }
    cases_.push_back(made);
  }

  std::mt19937_64 random_;
  std::string text_, kernels_, host_;
  int n_kernels_ = 0;
  std::vector<Draft> drafts_;
  std::vector<StreamCase> cases_;
};

}  // namespace rafter::simt::test
