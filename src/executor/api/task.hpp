// The work of a call on a stream, as the stream observer sees it: it lasts as long as the object.
#pragma once

#include "executor/api/streams.hpp"
#include "executor/process/observer.hpp"

namespace rafter::simt {

class Task {
 public:
  Task(StreamTask::Kind kind, const char* what, cudaStream_t stream, const void* place)
      : observer_(observing_streams()) {
    if (observer_) observer_->task_began({kind, what, streams().ref(stream), place});
  }
  Task(const char* call, cudaStream_t stream, const void* place) : Task(StreamTask::Kind::call, call, stream, place) {}
  ~Task() {
    if (observer_) observer_->task_ended(waits_);
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  /// Records that the call returns only when the work is done.
  void host_waits() { waits_ = HostWaits::yes; }

 private:
  StreamObserver* observer_;
  HostWaits waits_ = HostWaits::no;
};

/// Tells the stream observer that the host has waited for all work of a stream.
inline void host_waited(cudaStream_t stream) {
  if (StreamObserver* observer = observing_streams()) observer->host_waited(streams().ref(stream));
}
/// Tells the stream observer that the host has waited for all streams.
inline void host_waited_for_all() {
  if (StreamObserver* observer = observing_streams()) observer->host_waited_for_all();
}

}  // namespace rafter::simt
