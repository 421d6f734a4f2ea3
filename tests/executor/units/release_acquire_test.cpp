// Order through fences and atomics: flags, tickets, locks and chains of them, and what is missing in their faults.
#include <gtest/gtest.h>

#include "executor/check/races/release_acquire_log.hpp"

namespace rafter::simt {
namespace {

using rafter_simt::Scope;

/// A thread of a one-warp-per-32 block at a time of its own; it knows nothing of other lanes.
Moment at(std::uint32_t block, std::uint32_t thread, std::uint32_t time, std::uint32_t epoch = 0) {
  return {block, thread, epoch, time, {}};
}
Segment when(std::uint32_t block, std::uint32_t thread, std::uint32_t time, std::uint32_t epoch = 0) {
  return {block, thread / 32, epoch, time};
}

class ReleaseAcquireTest : public testing::Test {
 protected:
  /// Whether a thread knows at a moment what another did.
  bool happens_before(const Segment& what, unsigned lane, const Moment& now) const {
    return order_.happens_before(what, lane, now);
  }

  ReleaseAcquireLog order_;
  int flag_ = 0, other_ = 0, flags_[4] = {};
};

TEST(Moment, comes_after_its_own_past_and_after_barriers) {
  const Moment now = at(3, 40, 5, 2);
  EXPECT_TRUE(now.is_after(when(3, 40, 5, 2), 8)) << "its own";
  EXPECT_FALSE(now.is_after(when(3, 40, 6, 2), 8)) << "its own future";
  EXPECT_FALSE(now.is_after(when(3, 41, 1, 2), 9)) << "a lane it has not met";
  EXPECT_TRUE(now.is_after(when(3, 0, 99, 1), 0)) << "before a barrier of the block";
  EXPECT_FALSE(now.is_after(when(4, 0, 0, 0), 0)) << "another block";
  Moment met = now;
  met.view[9] = 4;
  EXPECT_TRUE(met.is_after(when(3, 41, 4, 2), 9));
  EXPECT_FALSE(met.is_after(when(3, 41, 5, 2), 9));
}

TEST_F(ReleaseAcquireTest, a_flag_after_a_fence_hands_over) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1))) << "nobody has looked yet";
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 2), 0, at(1, 0, 1))) << "what came after the fence";
  EXPECT_FALSE(happens_before(when(0, 1, 1), 1, at(1, 0, 1))) << "what another lane did";
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(2, 0, 1))) << "a block that did not look";
}

TEST_F(ReleaseAcquireTest, who_looks_again_has_seen_what_he_saw_before) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  order_.fence(at(1, 0, 2), Scope::device);
  order_.release(&other_, at(1, 0, 3));  // handed on
  order_.fence(at(0, 0, 5), Scope::device);
  order_.release(&flag_, at(0, 0, 6));
  order_.acquire(&flag_, at(1, 0, 7));  // too late for what was handed on
  order_.acquire(&other_, at(2, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(2, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 5), 0, at(2, 0, 1)));
  EXPECT_TRUE(happens_before(when(0, 0, 5), 0, at(1, 0, 7)));
}

TEST_F(ReleaseAcquireTest, without_a_fence_nothing_is_handed_over) {
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 2), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, a_fence_of_the_block_does_not_reach_others) {
  order_.fence(at(0, 0, 1), Scope::block);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  order_.acquire(&flag_, at(0, 64, 3));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(0, 64, 3)));
}

TEST_F(ReleaseAcquireTest, another_variable_is_no_hand_over) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&other_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, who_looked_too_early_knows_nothing) {
  order_.acquire(&flag_, at(1, 0, 1));
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  order_.acquire(&flag_, at(1, 0, 2));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(1, 0, 2)));
}

TEST_F(ReleaseAcquireTest, a_chain_passes_it_on) {
  for (std::uint32_t block = 0; block < 3; ++block) {
    if (block > 0) order_.acquire(&flags_[block], at(block, 0, 1));
    order_.fence(at(block, 0, 2), Scope::device);
    order_.release(&flags_[block + 1], at(block, 0, 3));
  }
  order_.acquire(&flags_[3], at(3, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(3, 0, 1)));
  EXPECT_TRUE(happens_before(when(2, 0, 1), 0, at(3, 0, 1)));
  EXPECT_FALSE(happens_before(when(3, 0, 1), 0, at(2, 0, 9))) << "not back";
}

TEST_F(ReleaseAcquireTest, a_barrier_spreads_it_over_the_block) {
  order_.fence(at(0, 5, 1, 0), Scope::device);  // every thread fences its own work, one takes the ticket
  order_.release(&flag_, at(0, 0, 1, 1));
  order_.acquire(&flag_, at(1, 0, 1, 0));
  EXPECT_TRUE(happens_before(when(0, 5, 1, 0), 5, at(1, 77, 1, 1))) << "fence, barrier, ticket; ticket, barrier";
  EXPECT_FALSE(happens_before(when(0, 5, 1, 0), 5, at(1, 77, 1, 0))) << "the last block's barrier is missing";
  EXPECT_FALSE(happens_before(when(0, 6, 1, 0), 6, at(1, 77, 1, 1))) << "a thread that did not fence";
}

TEST_F(ReleaseAcquireTest, a_barrier_of_part_of_a_block_needs_no_fence) {
  order_.release_at_barrier(&flag_, at(0, 0, 1));
  order_.acquire(&flag_, at(0, 64, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(0, 64, 1)));
}

TEST_F(ReleaseAcquireTest, a_fence_behind_the_flag_hands_nothing_over) {
  order_.fence(at(0, 9, 1), Scope::device);  // somebody else's
  order_.release(&flag_, at(0, 0, 1));
  order_.fence(at(0, 0, 1), Scope::device);
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, an_acquire_needs_a_fence_behind_the_read) {
  const auto acquires = [&](const Moment& now) {
    return order_.happens_before(when(0, 0, 1), 0, now, FenceRequirement::acquire);
  };
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.fence(at(1, 0, 1), Scope::device);
  order_.acquire(&flag_, at(1, 0, 2));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(1, 0, 2)));
  EXPECT_FALSE(acquires(at(1, 0, 2))) << "a fence before the read";
  order_.fence(at(1, 0, 2), Scope::block);
  EXPECT_FALSE(acquires(at(1, 0, 3))) << "of the block only";
  order_.fence(at(1, 0, 3), Scope::device);
  EXPECT_TRUE(acquires(at(1, 0, 4)));
  EXPECT_TRUE(acquires(at(1, 50, 1, 1))) << "for the block, behind a barrier";
  EXPECT_FALSE(acquires(at(1, 50, 1, 0)));
}

TEST_F(ReleaseAcquireTest, who_goes_on_behind_a_barrier_may_fence_himself) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1, 0));
  EXPECT_FALSE(order_.happens_before(when(0, 0, 1), 0, at(1, 50, 1, 1), FenceRequirement::acquire));
  order_.fence(at(1, 50, 1, 1), Scope::device);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(1, 50, 2, 1), FenceRequirement::acquire));
}

TEST_F(ReleaseAcquireTest, a_read_that_is_an_acquire_needs_no_fence) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1), ReleaseAcquireLog::ReadOrder::block_acquire);
  EXPECT_FALSE(order_.happens_before(when(0, 0, 1), 0, at(1, 0, 1), FenceRequirement::acquire)) << "another block";
  order_.acquire(&flag_, at(0, 64, 1), ReleaseAcquireLog::ReadOrder::block_acquire);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(0, 64, 1), FenceRequirement::acquire));
  order_.acquire(&flag_, at(1, 0, 1), ReleaseAcquireLog::ReadOrder::acquire);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(1, 0, 1), FenceRequirement::acquire));
}

TEST_F(ReleaseAcquireTest, a_lock_asks_for_the_fence_of_both_sides) {
  int data = 0, other = 0;
  const CriticalSections::EarlyAccesses early{{&data, Scope::block}};
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2), &early);
  order_.acquire(&flag_, at(1, 0, 1));
  const auto is_ordered = [&](FenceRequirement requirement, const void* word) {
    return order_.happens_before(when(0, 0, 1), 0, at(1, 0, 2), requirement, word);
  };
  EXPECT_TRUE(is_ordered(FenceRequirement::lock_acquire, &data)) << "not taken by a compare-and-swap: a flag";
  order_.lock_taken(&flag_);
  EXPECT_FALSE(is_ordered(FenceRequirement::lock_acquire, &other)) << "no fence behind taking it";
  order_.fence(at(1, 0, 1), Scope::device);
  EXPECT_TRUE(is_ordered(FenceRequirement::lock_acquire, &other));
  EXPECT_FALSE(is_ordered(FenceRequirement::lock_acquire, &data)) << "the first one access it before its fence";
  EXPECT_TRUE(is_ordered(FenceRequirement::release, &data));
}

TEST_F(ReleaseAcquireTest, knows_which_variables_ordered_something) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flags_[0], at(0, 0, 2));
  order_.acquire(&flags_[0], at(1, 0, 1));
  order_.fence(at(1, 0, 1), Scope::device);
  order_.release(&flags_[1], at(1, 0, 2));
  order_.acquire(&flags_[1], at(2, 0, 1));
  order_.acquire(&flags_[2], at(2, 0, 1));
  EXPECT_FALSE(order_.has_ordered(&flags_[0]));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(2, 0, 1)));
  EXPECT_TRUE(order_.has_ordered(&flags_[0]));
  EXPECT_TRUE(order_.has_ordered(&flags_[1]));
  EXPECT_FALSE(order_.has_ordered(&flags_[2]));
}

TEST_F(ReleaseAcquireTest, clear_forgets) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(order_.is_unused());
  order_.clear();
  EXPECT_TRUE(order_.is_unused());
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, a_barrier_of_the_cluster_orders_what_came_before_the_arrival) {
  ClusterBarriers& cluster = order_.begin_cluster({4, 6});
  EXPECT_EQ(order_.cluster_of(6), &cluster);
  EXPECT_EQ(order_.cluster_of(5), nullptr);
  cluster.arrived(4, 3, {0, 7});
  cluster.arrived(6, 0, {0, 1});
  Moment now = at(6, 0, 2);
  now.cluster = &cluster;
  EXPECT_FALSE(now.is_after(when(4, 3, 7), 3)) << "it has not waited";
  now.n_cluster_waits = 1;
  EXPECT_TRUE(now.is_after(when(4, 3, 7), 3));
  EXPECT_FALSE(now.is_after(when(4, 3, 8), 3)) << "after the arrival";
  EXPECT_TRUE(now.is_after(when(4, 2, 9), 2)) << "a thread that exited without arriving";
  EXPECT_FALSE(now.is_after(when(5, 3, 1), 3)) << "no block of the cluster";
  cluster.arrived(4, 3, {0, 0});  // relaxed, without a fence
  now.n_cluster_waits = 2;
  EXPECT_TRUE(now.is_after(when(4, 3, 7), 3)) << "known from before";
  EXPECT_FALSE(now.is_after(when(4, 3, 8), 3));
}

TEST_F(ReleaseAcquireTest, chains_go_through_the_barriers_of_clusters) {
  ClusterBarriers& cluster = order_.begin_cluster({0, 1});
  const auto after_barrier = [&](Moment moment) {
    moment.cluster = &cluster;
    moment.n_cluster_waits = 1;
    return moment;
  };
  // Block 1 wrote, block 0 releases after their barrier.
  cluster.arrived(1, 0, {0, 1});
  cluster.arrived(0, 0, {0, 1});
  order_.fence(after_barrier(at(0, 0, 2)), Scope::device);
  order_.release(&flag_, after_barrier(at(0, 0, 3)));
  order_.acquire(&flag_, at(2, 0, 1));
  EXPECT_TRUE(happens_before(when(1, 0, 1), 0, at(2, 0, 1)));
  EXPECT_FALSE(happens_before(when(1, 0, 2), 0, at(2, 0, 1)));
  // What one block acquired before the barrier, the other knows behind it.
  order_.fence(at(3, 0, 1), Scope::device);
  order_.release(&other_, at(3, 0, 2));
  Moment looks = at(0, 0, 1);
  looks.cluster = &cluster;
  order_.acquire(&other_, looks);
  EXPECT_TRUE(happens_before(when(3, 0, 1), 0, after_barrier(at(1, 0, 2))));
  EXPECT_FALSE(happens_before(when(3, 0, 1), 0, at(1, 0, 2)));
}

TEST_F(ReleaseAcquireTest, a_fence_of_the_cluster_reaches_its_blocks) {
  ClusterBarriers& cluster = order_.begin_cluster({0, 1});
  const auto in_cluster = [&](Moment moment) {
    moment.cluster = &cluster;
    return moment;
  };
  order_.fence(in_cluster(at(0, 0, 1)), Scope::cluster);
  order_.release(&flag_, in_cluster(at(0, 0, 2)));
  order_.acquire(&flag_, in_cluster(at(1, 0, 1)));
  order_.acquire(&flag_, at(2, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, in_cluster(at(1, 0, 1))));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(2, 0, 1)));
}

}  // namespace
}  // namespace rafter::simt
