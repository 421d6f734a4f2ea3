// Counters of kernels with known traffic: exact values per request.
#include <map>

#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

/// The accesses of one kernel in one space and of one kind, over all lines and launches.
struct Counted {
  double requests = 0, lanes = 0, bytes = 0, sectors = 0, ideal_sectors = 0, wavefronts = 0, ideal_wavefronts = 0;
  double worst_contention = 0;

  double per_request(double Counted::*what) const { return this->*what / requests; }
};

class Profile {
 public:
  explicit Profile(const std::string& file) {
    const Outcome outcome = rafter(here / "counters", "profile --json " + file);
    EXPECT_EQ(outcome.code, 0) << outcome.all();
    counts_ = outcome.report()["counts"];
  }

  Counted of(const std::string& kernel, const std::string& space, const std::string& kind) const {
    Counted all;
    for (const json& place : counts_.at(kernel).at("places")) {
      if (place["space"] != space || place["kind"] != kind) continue;
      all.requests += place["requests"].get<double>();
      all.lanes += place["lanes"].get<double>();
      all.bytes += place["bytes"].get<double>();
      all.sectors += place["sectors"].get<double>();
      all.ideal_sectors += place["ideal_sectors"].get<double>();
      all.wavefronts += place["wavefronts"].get<double>();
      all.ideal_wavefronts += place["ideal_wavefronts"].get<double>();
      all.worst_contention = std::max(all.worst_contention, place["worst_contention"].get<double>());
    }
    return all;
  }

  int barriers(const std::string& kernel) const {
    int sum = 0;
    for (const json& place : counts_.at(kernel).at("barriers")) sum += place["arrivals"].get<int>();
    return sum;
  }
  int hottest(const std::string& kernel) const { return counts_.at(kernel).at("hottest_atomics"); }

 private:
  json counts_;
};

TEST(CountersOf, Textures) {
  const Profile profile("textures.cu");
  const Counted row = profile.of("row", "global", "load"), column = profile.of("column", "global", "load");
  EXPECT_EQ(row.requests, 32);
  EXPECT_EQ(row.per_request(&Counted::sectors), 4);
  EXPECT_EQ(row.per_request(&Counted::lanes), 32);
  EXPECT_EQ(column.per_request(&Counted::sectors), 32);
  EXPECT_EQ(profile.of("row", "global", "store").per_request(&Counted::sectors), 4);
  const Counted between = profile.of("between", "global", "load");
  EXPECT_EQ(between.requests, 4);
  EXPECT_EQ(between.bytes, 4 * 32 * 4);
}

TEST(CountersOf, GlobalMemory) {
  struct Row {
    const char* kernel;
    double load, ideal_load, store, lanes;
  };
  const Profile profile("global_memory.cu");
  for (const Row& row : {
           Row{"copy", 4, 4, 4, 32},
           Row{"copy_float4", 16, 16, 16, 32},
           Row{"copy_half", 2, 2, 2, 32},
           Row{"copy_bytes", 1, 1, 1, 32},
           Row{"copy_double", 8, 8, 8, 32},
           Row{"stride_2", 8, 4, 8, 32},
           Row{"column", 32, 4, 4, 32},
           Row{"misaligned_by_one", 5, 4, 4, 32},
           Row{"broadcast", 1, 1, 4, 32},
           Row{"backwards", 4, 4, 4, 32},
           Row{"half_warp", 2, 2, 2, 16},
           Row{"even_lanes", 4, 2, 4, 16},
       }) {
    const Counted load = profile.of(row.kernel, "global", "load"), store = profile.of(row.kernel, "global", "store");
    EXPECT_EQ(load.requests, 4) << row.kernel << ": one for each warp";
    EXPECT_EQ(store.requests, 4) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::sectors), row.load) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::ideal_sectors), row.ideal_load) << row.kernel;
    EXPECT_EQ(store.per_request(&Counted::sectors), row.store) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::lanes), row.lanes) << row.kernel;
    EXPECT_EQ(profile.barriers(row.kernel), 0) << row.kernel;
  }
  EXPECT_EQ(profile.of("copy_float4", "global", "load").bytes, 128 * 16);
  EXPECT_EQ(profile.of("copy_half", "global", "store").bytes, 128 * 2);
}

TEST(CountersOf, LanesThatLeaveALoopEarly) {
  const Counted load = Profile("global_memory.cu").of("triangle", "global", "load");
  EXPECT_EQ(load.requests, 4 * 32) << "as many as the longest lane has iterations";
  EXPECT_EQ(load.lanes, 4 * 32 * 33 / 2);
  EXPECT_EQ(load.sectors, 4 * (8 * 4 + 8 * 3 + 8 * 2 + 8));
}

TEST(CountersOf, SharedMemory) {
  struct Row {
    const char* kernel;
    double requests, store, load, ideal;
  };
  const Profile profile("shared_memory.cu");
  for (const Row& row : {
           Row{"row", 32, 1, 1, 1},
           Row{"column", 32, 1, 32, 1},
           Row{"padded_column", 32, 1, 1, 1},
           Row{"stride_2", 2, 2, 2, 1},
           Row{"stride_3", 2, 1, 1, 1},
           Row{"stride_8", 2, 8, 8, 1},
           Row{"of_bytes", 2, 1, 1, 1},
           Row{"of_float2", 2, 2, 2, 2},
           Row{"of_float4", 2, 4, 4, 4},
       }) {
    const Counted load = profile.of(row.kernel, "shared", "load"), store = profile.of(row.kernel, "shared", "store");
    EXPECT_EQ(load.requests, row.requests) << row.kernel;
    EXPECT_EQ(store.per_request(&Counted::wavefronts), row.store) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::wavefronts), row.load) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::ideal_wavefronts), row.ideal) << row.kernel;
    EXPECT_EQ(profile.barriers(row.kernel), row.requests * 32) << row.kernel;
  }
  EXPECT_EQ(profile.of("broadcast", "shared", "store").lanes, 1);
  EXPECT_EQ(profile.of("broadcast", "shared", "load").per_request(&Counted::wavefronts), 1);
}

TEST(CountersOf, AtomicsAndBarriers) {
  struct Row {
    const char *kernel, *space;
    double requests, contention;
    int hottest;
  };
  const Profile profile("atomics_barriers.cu");
  for (const Row& row : {
           Row{"one_address", "global", 8, 32, 256},
           Row{"four_addresses", "global", 8, 8, 64},
           Row{"own_addresses", "global", 16, 1, 4},
           Row{"shared_bin", "shared", 8, 32, 64},
           Row{"shared_bins", "shared", 8, 4, 4},
       }) {
    const Counted atomics = profile.of(row.kernel, row.space, "atomic");
    EXPECT_EQ(atomics.requests, row.requests) << row.kernel;
    EXPECT_EQ(atomics.lanes, row.requests * 32) << row.kernel;
    EXPECT_EQ(atomics.worst_contention, row.contention) << row.kernel;
    EXPECT_EQ(profile.hottest(row.kernel), row.hottest) << row.kernel;
  }
  EXPECT_EQ(profile.of("shared_bin", "shared", "atomic").wavefronts, 8 * 32) << "lanes are serialised";
  EXPECT_EQ(profile.of("shared_bins", "shared", "atomic").wavefronts, 8 * 4);
  EXPECT_EQ(profile.of("shared_bins", "shared", "atomic").ideal_wavefronts, 8);
  EXPECT_EQ(profile.barriers("shared_bin"), 4 * 64 * 2);
  EXPECT_EQ(profile.barriers("three_rounds"), 4 * 64 * 6);
  EXPECT_EQ(profile.barriers("one_address"), 0);
}

TEST(CountersOf, LoopsAndBranchesAsWritten) {
  struct Row {
    const char *kernel, *space;
    double loads, stores, lanes;
  };
  const Profile profile("as_written.cu");
  for (const Row& row : {
           Row{"sum_in_memory", "global", 10, 10, 32},
           Row{"sum_of_four", "global", 4, 4, 32},
           Row{"same_element", "global", 10, 1, 32},
           Row{"sum_in_shared", "shared", 10, 11, 32},
           Row{"same_sides", "global", 2, 2, 16},
           Row{"other_sides", "global", 2, 1, 16},
       }) {
    const Counted load = profile.of(row.kernel, row.space, "load"), store = profile.of(row.kernel, row.space, "store");
    EXPECT_EQ(load.requests, row.loads) << row.kernel;
    EXPECT_EQ(store.requests, row.stores) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::lanes), row.lanes) << row.kernel;
  }
  EXPECT_EQ(profile.of("stored_sides", "global", "store").requests, 2);
}

TEST(CountersOf, StructuresInPiecesOfTheirAlignment) {
  struct Row {
    const char* kernel;
    double requests, sectors, ideal;
  };
  const Profile profile("structures.cu");
  for (const Row& row : {
           Row{"points", 3, 12, 4},
           Row{"bodies", 8, 32, 4},
           Row{"local_body", 8, 32, 4},
           Row{"aligned", 4, 32, 16},
           Row{"doubles", 2, 16, 8},
           Row{"floats", 2, 8, 4},
           Row{"colours", 4, 4, 1},
       }) {
    const Counted load = profile.of(row.kernel, "global", "load");
    EXPECT_EQ(load.requests, row.requests) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::sectors), row.sectors) << row.kernel;
    EXPECT_EQ(load.per_request(&Counted::ideal_sectors), row.ideal) << row.kernel;
  }
  const Counted load = profile.of("shared_points", "shared", "load");
  EXPECT_EQ(load.requests, 3);
  EXPECT_EQ(load.wavefronts, 3) << "with a stride of three words every lane has a separate bank";
}

TEST(CountersOf, AccessesOutsideOfAllMemoryAreReported) {
  const Outcome outcome = rafter(here / "counters", "profile outside.cu");
  EXPECT_EQ(outcome.code, 1) << outcome.all();
  EXPECT_TRUE(has(outcome.out, "access out of bounds in global memory, kernel past_the_end [out_of_bounds], 16 times"))
      << outcome.out;
  EXPECT_TRUE(has(outcome.out, "outside.cu:4: thread (16,0,0) of block (0,0,0) reads 4 bytes")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "no dynamic shared memory: use kernel<<<blocks, threads, BYTES>>>")) << outcome.out;
  EXPECT_FALSE(has(outcome.out, "kernel inside [")) << outcome.out;
}

}  // namespace
}  // namespace rafter::simt::test
