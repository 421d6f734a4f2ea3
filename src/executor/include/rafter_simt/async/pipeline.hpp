// cuda::pipeline. With thread scope its stages are groups of cp.async; with block scope each stage has two mbarriers,
// one for "full" and one for "free".
#pragma once

#include "rafter_simt/async/barrier.hpp"

#define RAFTER_SIMT_MEMBER __attribute__((always_inline)) inline

namespace cuda {

enum class pipeline_role { producer, consumer };

template <thread_scope scope>
struct pipeline_stage {
  barrier<scope> produced, consumed;
};

template <thread_scope scope, unsigned char n_stages>
class pipeline_shared_state {
  static_assert(scope == thread_scope_block, "rafter: cuda::pipeline_shared_state is supported with block scope only");

 public:
  pipeline_shared_state() = default;
  pipeline_shared_state(const pipeline_shared_state&) = delete;
  pipeline_stage<scope> stages[n_stages];
};

template <thread_scope scope>
class pipeline {
 public:
  template <class State, class Group>
  RAFTER_SIMT_MEMBER pipeline(const Group& group, State* state, unsigned n_producers, unsigned n_consumers)
      : stages_(&state->stages[0]), n_stages_(sizeof(state->stages) / sizeof(state->stages[0])) {
    if (group.thread_rank() == 0) {
      for (unsigned i = 0; i < n_stages_; ++i) {
        init(&stages_[i].produced, n_producers);
        init(&stages_[i].consumed, n_consumers);
      }
    }
    group.sync();
  }
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;

  RAFTER_SIMT_MEMBER void producer_acquire() {  // all stages are free at first
    stages_[head_].consumed.wait_parity(!head_parity_);
  }
  RAFTER_SIMT_MEMBER void producer_commit() {
    stages_[head_].produced.arrive();
    if (++head_ == n_stages_) head_ = 0, head_parity_ = !head_parity_;
  }
  RAFTER_SIMT_MEMBER void consumer_wait() { stages_[tail_].produced.wait_parity(tail_parity_); }
  template <class Duration>
  RAFTER_SIMT_MEMBER bool consumer_wait_for(const Duration& duration) {
    return stages_[tail_].produced.try_wait_parity_for(tail_parity_, duration);
  }
  RAFTER_SIMT_MEMBER void consumer_release() {
    stages_[tail_].consumed.arrive();
    if (++tail_ == n_stages_) tail_ = 0, tail_parity_ = !tail_parity_;
  }
  bool quit() { return false; }

  RAFTER_SIMT_MEMBER auto& producing() { return stages_[head_].produced; }

 private:
  pipeline_stage<scope>* stages_;
  unsigned n_stages_, head_ = 0, tail_ = 0;
  bool head_parity_ = false, tail_parity_ = false;
};

template <>
class pipeline<thread_scope_thread> {
 public:
  pipeline() = default;
  pipeline(pipeline&&) = default;
  pipeline(const pipeline&) = delete;

  void producer_acquire() {}
  RAFTER_SIMT_MEMBER void producer_commit() {
    rafter_simt_commit_group(rafter_simt::GroupKind::copy_async);
    ++n_committed_;
  }
  RAFTER_SIMT_MEMBER void consumer_wait() {
    if (n_waited_ < n_committed_) ++n_waited_;
    rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, static_cast<int>(n_committed_ - n_waited_), 0);
  }
  RAFTER_SIMT_MEMBER void wait_prior(unsigned n_later) {
    rafter_simt_wait_group(rafter_simt::GroupKind::copy_async, static_cast<int>(n_later), 0);
    if (n_waited_ + n_later < n_committed_) n_waited_ = n_committed_ - n_later;
  }
  void consumer_release() {}
  bool quit() { return true; }

 private:
  unsigned n_committed_ = 0, n_waited_ = 0;
};

RAFTER_SIMT_MEMBER pipeline<thread_scope_thread> make_pipeline() { return {}; }

template <class Group, thread_scope scope, unsigned char n_stages>
RAFTER_SIMT_MEMBER pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, n_stages>* state) {
  const auto n = static_cast<unsigned>(group.size());
  return pipeline<scope>(group, state, n, n);
}
/// Makes the group's first `n_producers` threads produce and the others consume.
template <class Group, thread_scope scope, unsigned char n_stages>
RAFTER_SIMT_MEMBER pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, n_stages>* state,
                                                 ::std::size_t n_producers) {
  const auto n = static_cast<unsigned>(n_producers);
  return pipeline<scope>(group, state, n, static_cast<unsigned>(group.size()) - n);
}
template <class Group, thread_scope scope, unsigned char n_stages>
RAFTER_SIMT_MEMBER pipeline<scope> make_pipeline(const Group& group, pipeline_shared_state<scope, n_stages>* state,
                                                 pipeline_role role) {
  const int n_producers = __syncthreads_count(role == pipeline_role::producer);
  return make_pipeline(group, state, static_cast<::std::size_t>(n_producers));
}

template <unsigned char n_later>
RAFTER_SIMT_MEMBER void pipeline_consumer_wait_prior(pipeline<thread_scope_thread>& of) {
  of.wait_prior(n_later);
}
template <thread_scope scope, class Completion>
RAFTER_SIMT_MEMBER void pipeline_producer_commit(pipeline<thread_scope_thread>&, barrier<scope, Completion>& done) {
  done.arrive_with_copies();
}

/// Starts a copy that belongs to the stage that the thread is filling.
template <class Group, class T, class Size, thread_scope scope>
RAFTER_SIMT_MEMBER void memcpy_async(const Group& group, T* to, const T* from, const Size& bytes,
                                     pipeline<scope>& through) {
  const bool is_started = rafter_simt::start_copy(group, (void*)to, from, static_cast<::std::size_t>(bytes));
  if constexpr (scope != thread_scope_thread) {
    if (is_started) through.producing().arrive_with_copies();
  }
}
template <class Group, class Size, thread_scope scope>
RAFTER_SIMT_MEMBER void memcpy_async(const Group& group, void* to, const void* from, const Size& bytes,
                                     pipeline<scope>& through) {
  memcpy_async(group, static_cast<char*>(to), static_cast<const char*>(from), bytes, through);
}
template <class T, class Size, thread_scope scope>
RAFTER_SIMT_MEMBER void memcpy_async(T* to, const T* from, const Size& bytes, pipeline<scope>& through) {
  memcpy_async(rafter_simt::ThisThread(), to, from, bytes, through);
}
template <class Size, thread_scope scope>
RAFTER_SIMT_MEMBER void memcpy_async(void* to, const void* from, const Size& bytes, pipeline<scope>& through) {
  memcpy_async(rafter_simt::ThisThread(), to, from, bytes, through);
}

}  // namespace cuda

#undef RAFTER_SIMT_MEMBER
