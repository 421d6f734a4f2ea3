// The order of streams' work, compared with explicit sets of tasks.
#include "executor/order/stream_order.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

namespace rafter::simt {
namespace {

constexpr StreamRef legacy{0, StreamKind::legacy};
constexpr StreamRef blocking[]{{1, StreamKind::blocking}, {2, StreamKind::blocking}};
constexpr StreamRef free_running[]{{3, StreamKind::non_blocking}, {4, StreamKind::non_blocking}};

/// Gives the stream a task that accesses its own word. Returns the earlier tasks that are concurrent with it.
std::set<int> concurrent_with(StreamOrder& order, const StreamRef& stream, int task) {
  const auto word = [](int t) {
    return Bytes{static_cast<std::uintptr_t>(t) * 4, static_cast<std::uintptr_t>(t) * 4 + 4};
  };
  order.begin(stream);
  order.current()->accesses.add(word(task), Use::writes, 1);
  std::set<int> found;
  for (const auto& other : order.concurrent()) {
    for (int t = 0; t < task; ++t) {
      if (other->accesses.find(word(t), Use::reads)) found.insert(t);
    }
  }
  order.end();
  return found;
}

TEST(StreamOrder, StreamsAreConcurrentUntilOneWaits) {
  StreamOrder order;
  int event = 0;
  EXPECT_EQ(concurrent_with(order, blocking[0], 0), (std::set<int>{}));
  EXPECT_EQ(concurrent_with(order, blocking[1], 1), (std::set<int>{0}));
  order.record(&event, blocking[0]);
  EXPECT_EQ(concurrent_with(order, blocking[0], 2), (std::set<int>{1}));  // after the event
  EXPECT_TRUE(order.stream_waits(blocking[1], &event));
  EXPECT_EQ(concurrent_with(order, blocking[1], 3), (std::set<int>{2}));
}

TEST(StreamOrder, LegacyStreamSynchronisesWithBlockingStreams) {
  StreamOrder order;
  concurrent_with(order, blocking[0], 0);
  concurrent_with(order, free_running[0], 1);
  EXPECT_EQ(concurrent_with(order, legacy, 2), (std::set<int>{1}));
  EXPECT_EQ(concurrent_with(order, blocking[1], 3), (std::set<int>{1}));
  EXPECT_EQ(concurrent_with(order, free_running[0], 4), (std::set<int>{0, 2, 3}));
}

TEST(StreamOrder, UnrecordedEventOrdersNothing) {
  StreamOrder order;
  int event = 0;
  concurrent_with(order, blocking[0], 0);
  EXPECT_FALSE(order.stream_waits(blocking[1], &event));
  EXPECT_FALSE(order.host_waits(&event));
  EXPECT_EQ(concurrent_with(order, blocking[1], 1), (std::set<int>{0}));
}

TEST(StreamOrder, DropsWorkThatTheHostWaitedFor) {
  StreamOrder order;
  concurrent_with(order, blocking[0], 0);
  concurrent_with(order, free_running[0], 1);
  order.host_waits(blocking[0]);
  EXPECT_EQ(order.pending().size(), 1u);
  EXPECT_EQ(concurrent_with(order, blocking[1], 2), (std::set<int>{1}));
  order.host_waits_for_all();
  EXPECT_TRUE(order.pending().empty());
}

TEST(StreamOrder, KeepsAssumedOrder) {
  StreamOrder order;
  concurrent_with(order, blocking[0], 0);
  order.begin(blocking[1]);
  order.assume_order_after(*order.concurrent().front());
  EXPECT_TRUE(order.concurrent().empty());
  order.end();
  EXPECT_EQ(concurrent_with(order, blocking[1], 1), (std::set<int>{}));
}

TEST(StreamOrder, BoundsPendingSegmentsWithoutHostWaits) {
  StreamOrder order;
  int there = 0, back = 0;
  for (int round = 0; round < 1000; ++round) {
    concurrent_with(order, free_running[0], 0);
    order.record(&there, free_running[0]);
    order.stream_waits(free_running[1], &there);
    concurrent_with(order, free_running[1], 0);
    order.record(&back, free_running[1]);
    order.stream_waits(free_running[0], &back);
  }
  EXPECT_LE(order.pending().size(), 20u);
}

TEST(StreamOrder, ForgetsTheOldestSegment) {
  StreamOrder order;
  concurrent_with(order, free_running[0], 0);
  concurrent_with(order, free_running[1], 1);
  EXPECT_TRUE(order.forget_oldest());
  EXPECT_EQ(concurrent_with(order, blocking[0], 2), (std::set<int>{1}));
  order.begin(legacy);
  while (order.forget_oldest()) {
  }
  EXPECT_EQ(order.pending().size(), 1u);  // the current one
  order.end();
}

// A model of StreamOrder: for each task, the set of all tasks that happen before it.
class Model {
 public:
  explicit Model(int n_streams) : past_(static_cast<std::size_t>(n_streams)) {}

  std::set<int> concurrent_with(const StreamRef& stream, int task) {
    std::set<int>& past = enter(stream);
    std::set<int> concurrent;
    for (int t = 0; t < task; ++t) {
      if (!past.contains(t) && !over_.contains(t)) concurrent.insert(t);
    }
    past.insert(task);
    return concurrent;
  }
  void record(int event, const StreamRef& stream) { events_[static_cast<std::size_t>(event)] = enter(stream); }
  void stream_waits(const StreamRef& stream, int event) {
    add(enter(stream), events_[static_cast<std::size_t>(event)]);
  }
  void host_waits(int event) { add(over_, events_[static_cast<std::size_t>(event)]); }
  void host_waits(const StreamRef& stream) { add(over_, enter(stream)); }

 private:
  static void add(std::set<int>& to, const std::set<int>& from) { to.insert(from.begin(), from.end()); }
  std::set<int>& enter(const StreamRef& stream) {
    std::set<int>& past = past_[stream.number];
    if (stream.kind == StreamKind::legacy) {
      for (const StreamRef& other : blocking) add(past, past_[other.number]);
    } else if (stream.kind == StreamKind::blocking) {
      add(past, past_[legacy.number]);
    }
    return past;
  }

  std::vector<std::set<int>> past_;
  std::array<std::set<int>, 4> events_;
  std::set<int> over_;
};

TEST(StreamOrder, AgreesWithSetsOfTasks) {
  constexpr std::array all{legacy, blocking[0], blocking[1], free_running[0], free_running[1]};
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return random() % n; };
    StreamOrder order;
    Model model(all.size());
    std::array<int, 4> events{};
    for (int task = 0; task < 120;) {
      const StreamRef stream = all[below(all.size())];
      const int event = static_cast<int>(below(4));
      const int* handle = &events[static_cast<std::size_t>(event)];
      const unsigned what = below(20);
      if (what < 10) {
        ASSERT_EQ(concurrent_with(order, stream, task), model.concurrent_with(stream, task))
            << "seed " << seed << ", task " << task;
        ++task;
      } else if (what < 14) {
        order.record(handle, stream);
        model.record(event, stream);
      } else if (what < 18) {
        order.stream_waits(stream, handle);
        model.stream_waits(stream, event);
      } else if (what == 18) {
        order.host_waits(static_cast<const void*>(handle));
        model.host_waits(event);
      } else if (below(4) == 0) {
        order.host_waits(stream);
        model.host_waits(stream);
      }
    }
  }
}

}  // namespace
}  // namespace rafter::simt
