// Order through fences and atomics: flags, tickets, locks and chains of them, and their faulty variants.
#include <gtest/gtest.h>

#include "executor/check/races/release_acquire_log.hpp"

namespace rafter::simt {
namespace {

using rafter_simt::Scope;

/// A time of a thread that is ordered after no other lane.
Moment at(std::uint32_t block, std::uint32_t thread, std::uint32_t time, std::uint32_t epoch = 0) {
  return {block, thread, epoch, time, {}};
}
Segment when(std::uint32_t block, std::uint32_t thread, std::uint32_t time, std::uint32_t epoch = 0) {
  return {block, thread / 32, epoch, time};
}

class ReleaseAcquireTest : public testing::Test {
 protected:
  /// Whether an access of a lane in `what` happens before `now`.
  bool happens_before(const Segment& what, unsigned lane, const Moment& now) const {
    return order_.happens_before(what, lane, now);
  }

  ReleaseAcquireLog order_;
  int flag_ = 0, other_ = 0, flags_[4] = {};
};

TEST(Moment, IsAfterOwnAccessesAndBarriers) {
  const Moment now = at(3, 40, 5, 2);
  EXPECT_TRUE(now.is_after(when(3, 40, 5, 2), 8)) << "its own";
  EXPECT_FALSE(now.is_after(when(3, 40, 6, 2), 8)) << "its own future";
  EXPECT_FALSE(now.is_after(when(3, 41, 1, 2), 9)) << "a lane it has not synchronised with";
  EXPECT_TRUE(now.is_after(when(3, 0, 99, 1), 0)) << "before a barrier of the block";
  EXPECT_FALSE(now.is_after(when(4, 0, 0, 0), 0)) << "another block";
  Moment met = now;
  met.view[9] = 4;
  EXPECT_TRUE(met.is_after(when(3, 41, 4, 2), 9));
  EXPECT_FALSE(met.is_after(when(3, 41, 5, 2), 9));
}

TEST_F(ReleaseAcquireTest, FlagAfterAFenceReleases) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1))) << "no thread has read the flag yet";
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 2), 0, at(1, 0, 1))) << "an access after the fence";
  EXPECT_FALSE(happens_before(when(0, 1, 1), 1, at(1, 0, 1))) << "an access of another lane";
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(2, 0, 1))) << "a block that did not read the flag";
}

TEST_F(ReleaseAcquireTest, SecondAcquireKeepsTheFirst) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  order_.fence(at(1, 0, 2), Scope::device);
  order_.release(&other_, at(1, 0, 3));  // passes it on
  order_.fence(at(0, 0, 5), Scope::device);
  order_.release(&flag_, at(0, 0, 6));
  order_.acquire(&flag_, at(1, 0, 7));  // too late for what was passed on
  order_.acquire(&other_, at(2, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(2, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 5), 0, at(2, 0, 1)));
  EXPECT_TRUE(happens_before(when(0, 0, 5), 0, at(1, 0, 7)));
}

TEST_F(ReleaseAcquireTest, FlagWithoutAFenceReleasesNothing) {
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_FALSE(happens_before(when(0, 0, 2), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, BlockFenceDoesNotReleaseToOtherBlocks) {
  order_.fence(at(0, 0, 1), Scope::block);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  order_.acquire(&flag_, at(0, 64, 3));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(0, 64, 3)));
}

TEST_F(ReleaseAcquireTest, AcquireOfAnotherVariableOrdersNothing) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&other_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, AcquireBeforeTheReleaseOrdersNothing) {
  order_.acquire(&flag_, at(1, 0, 1));
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
  order_.acquire(&flag_, at(1, 0, 2));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(1, 0, 2)));
}

TEST_F(ReleaseAcquireTest, OrderIsTransitive) {
  for (std::uint32_t block = 0; block < 3; ++block) {
    if (block > 0) order_.acquire(&flags_[block], at(block, 0, 1));
    order_.fence(at(block, 0, 2), Scope::device);
    order_.release(&flags_[block + 1], at(block, 0, 3));
  }
  order_.acquire(&flags_[3], at(3, 0, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(3, 0, 1)));
  EXPECT_TRUE(happens_before(when(2, 0, 1), 0, at(3, 0, 1)));
  EXPECT_FALSE(happens_before(when(3, 0, 1), 0, at(2, 0, 9))) << "order is not symmetric";
}

TEST_F(ReleaseAcquireTest, BarriersExtendItToTheWholeBlock) {
  order_.fence(at(0, 5, 1, 0), Scope::device);  // every thread executes a fence after its work, one takes the ticket
  order_.release(&flag_, at(0, 0, 1, 1));
  order_.acquire(&flag_, at(1, 0, 1, 0));
  EXPECT_TRUE(happens_before(when(0, 5, 1, 0), 5, at(1, 77, 1, 1))) << "fence, barrier, ticket; ticket, barrier";
  EXPECT_FALSE(happens_before(when(0, 5, 1, 0), 5, at(1, 77, 1, 0))) << "the last block's barrier is missing";
  EXPECT_FALSE(happens_before(when(0, 6, 1, 0), 6, at(1, 77, 1, 1))) << "a thread that did not fence";
}

TEST_F(ReleaseAcquireTest, PartialBarrierNeedsNoFence) {
  order_.release_at_barrier(&flag_, at(0, 0, 1));
  order_.acquire(&flag_, at(0, 64, 1));
  EXPECT_TRUE(happens_before(when(0, 0, 1), 0, at(0, 64, 1)));
}

TEST_F(ReleaseAcquireTest, FenceAfterTheFlagReleasesNothing) {
  order_.fence(at(0, 9, 1), Scope::device);  // of another thread
  order_.release(&flag_, at(0, 0, 1));
  order_.fence(at(0, 0, 1), Scope::device);
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, AcquireNeedsAFenceAfterTheRead) {
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
  EXPECT_FALSE(acquires(at(1, 0, 3))) << "a fence of block scope only";
  order_.fence(at(1, 0, 3), Scope::device);
  EXPECT_TRUE(acquires(at(1, 0, 4)));
  EXPECT_TRUE(acquires(at(1, 50, 1, 1))) << "for the block, after a barrier";
  EXPECT_FALSE(acquires(at(1, 50, 1, 0)));
}

TEST_F(ReleaseAcquireTest, AcquiringFenceMayFollowABarrier) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1, 0));
  EXPECT_FALSE(order_.happens_before(when(0, 0, 1), 0, at(1, 50, 1, 1), FenceRequirement::acquire));
  order_.fence(at(1, 50, 1, 1), Scope::device);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(1, 50, 2, 1), FenceRequirement::acquire));
}

TEST_F(ReleaseAcquireTest, AcquireReadNeedsNoFence) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1), ReleaseAcquireLog::ReadOrder::block_acquire);
  EXPECT_FALSE(order_.happens_before(when(0, 0, 1), 0, at(1, 0, 1), FenceRequirement::acquire)) << "another block";
  order_.acquire(&flag_, at(0, 64, 1), ReleaseAcquireLog::ReadOrder::block_acquire);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(0, 64, 1), FenceRequirement::acquire));
  order_.acquire(&flag_, at(1, 0, 1), ReleaseAcquireLog::ReadOrder::acquire);
  EXPECT_TRUE(order_.happens_before(when(0, 0, 1), 0, at(1, 0, 1), FenceRequirement::acquire));
}

TEST_F(ReleaseAcquireTest, LockNeedsFencesOnBothSides) {
  int data = 0, other = 0;
  const CriticalSections::EarlyAccesses early{{&data, Scope::block}};
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2), &early);
  order_.acquire(&flag_, at(1, 0, 1));
  const auto is_ordered = [&](FenceRequirement requirement, const void* word) {
    return order_.happens_before(when(0, 0, 1), 0, at(1, 0, 2), requirement, word);
  };
  EXPECT_TRUE(is_ordered(FenceRequirement::lock_acquire, &data)) << "a flag: not acquired by a compare-and-swap";
  order_.lock_taken(&flag_);
  EXPECT_FALSE(is_ordered(FenceRequirement::lock_acquire, &other)) << "no fence after acquiring it";
  order_.fence(at(1, 0, 1), Scope::device);
  EXPECT_TRUE(is_ordered(FenceRequirement::lock_acquire, &other));
  EXPECT_FALSE(is_ordered(FenceRequirement::lock_acquire, &data)) << "the first owner accessed it before its fence";
  EXPECT_TRUE(is_ordered(FenceRequirement::release, &data));
}

TEST_F(ReleaseAcquireTest, KnowsWhichVariablesOrderedAccesses) {
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

TEST_F(ReleaseAcquireTest, ClearForgetsAllOrder) {
  order_.fence(at(0, 0, 1), Scope::device);
  order_.release(&flag_, at(0, 0, 2));
  order_.acquire(&flag_, at(1, 0, 1));
  EXPECT_FALSE(order_.is_unused());
  order_.clear();
  EXPECT_TRUE(order_.is_unused());
  EXPECT_FALSE(happens_before(when(0, 0, 1), 0, at(1, 0, 1)));
}

TEST_F(ReleaseAcquireTest, ClusterBarrierOrdersAccessesBeforeArrival) {
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
  EXPECT_FALSE(now.is_after(when(5, 3, 1), 3)) << "a block outside of the cluster";
  cluster.arrived(4, 3, {0, 0});  // relaxed, without a fence
  now.n_cluster_waits = 2;
  EXPECT_TRUE(now.is_after(when(4, 3, 7), 3)) << "known from before";
  EXPECT_FALSE(now.is_after(when(4, 3, 8), 3));
}

TEST_F(ReleaseAcquireTest, OrderIsTransitiveThroughClusterBarriers) {
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
  // After the barrier, the other block is ordered after what this one acquired before it.
  order_.fence(at(3, 0, 1), Scope::device);
  order_.release(&other_, at(3, 0, 2));
  Moment looks = at(0, 0, 1);
  looks.cluster = &cluster;
  order_.acquire(&other_, looks);
  EXPECT_TRUE(happens_before(when(3, 0, 1), 0, after_barrier(at(1, 0, 2))));
  EXPECT_FALSE(happens_before(when(3, 0, 1), 0, at(1, 0, 2)));
}

TEST_F(ReleaseAcquireTest, ClusterFenceReleasesToItsBlocks) {
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
