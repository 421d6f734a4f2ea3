#include "executor/api/graphs/graph_exec.hpp"

#include <algorithm>
#include <atomic>

#include "executor/api/streams.hpp"
#include "executor/process/observer.hpp"

using namespace rafter::simt;

namespace {

void record(const void* event, cudaStream_t stream) {
  if (StreamObserver* observer = observing_streams()) observer->event_recorded(event, streams().ref(stream));
}

void wait(cudaStream_t stream, const void* event, const void* place) {
  if (StreamObserver* observer = observing_streams()) observer->stream_waits(streams().ref(stream), event, place);
}

void forget(const void* event) {
  if (StreamObserver* observer = observing_streams()) observer->event_destroyed(event);
}

}  // namespace

std::shared_ptr<CUgraphExec_st> CUgraphExec_st::make(const CUgraph_st& graph) {
  const std::vector<cudaGraphNode_t> order = graph.in_order();
  if (order.size() != graph.nodes.size()) return nullptr;
  auto exec = std::make_shared<CUgraphExec_st>();
  std::map<cudaGraphNode_t, std::size_t> numbers;
  for (const cudaGraphNode_t node : order) {
    Step step{.node = node, .draft = node->draft, .child = nullptr};
    for (const cudaGraphNode_t before : node->after) step.after.push_back(numbers[before]);
    std::sort(step.after.begin(), step.after.end());
    if (const auto* child = std::get_if<std::shared_ptr<CUgraph_st>>(&node->draft.parameters)) {
      step.child = make(**child);
      if (!step.child) return nullptr;
    }
    numbers[node] = exec->steps.size();
    exec->steps.push_back(std::move(step));
  }
  exec->assign_branches();
  return exec;
}

CUgraphExec_st::~CUgraphExec_st() {
  if (was_launched_) {
    for (const Step& step : steps) forget(&step);
    forget(&began_);
    forget(&ended_);
  }
  for (const cudaStream_t branch : branches_) streams().destroy(branch);
}

/// Assigns a step to the branch of one of its dependencies, unless another step continues that branch; otherwise to a
/// new branch.
void CUgraphExec_st::assign_branches() {
  std::vector<std::size_t> last;  // steps, by branch
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Step& step = steps[i];
    const auto is_last = [&](std::size_t before) { return last[steps[before].branch] == before; };
    const auto before = std::find_if(step.after.begin(), step.after.end(), is_last);
    step.branch = before == step.after.end() ? last.size() : steps[*before].branch;
    if (step.branch == last.size()) last.push_back(0);
    last[step.branch] = i;
  }
  n_branches_ = last.size();
}

void CUgraphExec_st::make_branches() {
  static std::atomic<std::uint64_t> n_graphs = 0;
  if (!branches_.empty() || steps.empty()) return;
  const std::uint64_t graph = ++n_graphs;
  for (std::size_t i = 0; i < n_branches_; ++i) {
    branches_.push_back(streams().create_branch(graph, n_branches_ == 1 ? 0 : i + 1));
  }
}

void CUgraphExec_st::wait_for(std::size_t step, cudaStream_t stream, const void* place) const {
  wait(stream, &steps[step], place);
}

// A launch depends on all work of its stream, and on the last launch of the graph in any stream.
cudaError_t CUgraphExec_st::launch(cudaStream_t stream, const void* place) {
  make_branches();
  if (was_launched_) wait(stream, &ended_, place);
  was_launched_ = true;
  record(&began_, stream);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    const cudaStream_t branch = branches_[step.branch];
    if (step.after.empty()) wait(branch, &began_, place);
    for (const std::size_t before : step.after) wait_for(before, branch, place);
    cudaError_t error = cudaSuccess;
    if (step.is_enabled && step.child) error = step.child->launch(branch, place);
    if (step.is_enabled && step.draft.work) error = step.draft.work(branch);
    if (error != cudaSuccess) return error;
    record(&step, branch);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) wait_for(i, stream, place);
  record(&ended_, stream);
  return cudaSuccess;
}

CUgraphExec_st::Step* CUgraphExec_st::find(cudaGraphNode_t node) {
  for (Step& step : steps) {
    if (step.node == node) return &step;
    if (Step* const found = step.child ? step.child->find(node) : nullptr) return found;
  }
  return nullptr;
}

cudaGraphExecUpdateResultInfo CUgraphExec_st::update(const CUgraph_st& graph) {
  const auto other = make(graph);
  if (!other || other->steps.size() != steps.size()) return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i], &changed = other->steps[i];
    if (step.draft.type != changed.draft.type) return {cudaGraphExecUpdateErrorNodeTypeChanged, changed.node, nullptr};
    if (step.after != changed.after) return {cudaGraphExecUpdateErrorTopologyChanged, changed.node, nullptr};
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].draft = std::move(other->steps[i].draft);
    steps[i].child = std::move(other->steps[i].child);
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}

std::shared_ptr<CUgraphExec_st> CUgraphExec_st::copy() const {
  auto made = std::make_shared<CUgraphExec_st>();
  made->steps = steps;
  made->n_branches_ = n_branches_;
  for (Step& step : made->steps) {
    if (step.child) step.child = step.child->copy();
  }
  return made;
}
