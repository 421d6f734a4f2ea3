// Structs with a struct_size: what older and newer callers pass.
#include "c_tensors.hpp"

namespace rafter::c_api {
namespace {

/// The options of a caller that was compiled with a later version of the header.
struct LaterPredicate {
  rafter_predicate known;
  std::int64_t later;
};

class CApiStructs : public testing::Test {
 protected:
  rafter_status filter(const rafter_predicate* keep) const {
    return rafter_filter(stream_.get(), in_.get(), keep, RAFTER_ORDER_PRESERVED, out_.get(), count_.get());
  }

 private:
  StreamHandle stream_ = cpu_stream();
  Owned in_ = zeros<float>({3}), out_ = zeros<float>({3}), count_ = zeros<std::int64_t>({1});
};

TEST_F(CApiStructs, SizesThatAreNoneAreRefused) {
  rafter_predicate keep{};
  for (const std::size_t size : {std::size_t{0}, sizeof keep - 8, std::size_t{5000}, SIZE_MAX}) {
    keep.struct_size = size;
    EXPECT_EQ(filter(&keep), RAFTER_BAD_ARGUMENT) << size;
    EXPECT_EQ(last_argument(), "keep");
  }
  EXPECT_EQ(last_message(), "rafter_filter: keep should have a struct_size of 32 (sizeof), has 18446744073709551615");
  EXPECT_EQ(filter(nullptr), RAFTER_BAD_ARGUMENT);
}

TEST_F(CApiStructs, LaterFieldsMustBeZero) {
  LaterPredicate keep{};
  keep.known.struct_size = sizeof keep;
  EXPECT_EQ(filter(&keep.known), RAFTER_OK) << last_message();
  keep.later = std::int64_t{1} << 40;
  EXPECT_EQ(filter(&keep.known), RAFTER_UNSUPPORTED);
  EXPECT_EQ(last_message(),
            "rafter_filter: keep sets a field at byte 37 that this version of the library does not have");
}

TEST_F(CApiStructs, EnumeratorsOutOfRangeAreRefused) {
  rafter_predicate keep{};
  keep.struct_size = sizeof keep;
  keep.op = 6;
  EXPECT_EQ(filter(&keep), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_message(), "rafter_filter: keep.op should be between 0 and 5, is 6");
  keep.op = 0;
  keep.operand = -1;
  EXPECT_EQ(filter(&keep), RAFTER_BAD_ARGUMENT);
  EXPECT_EQ(last_argument(), "keep.operand");
}

TEST_F(CApiStructs, OutputsAreWrittenUpToTheCallersSize) {
  const Function function("rafter_test");
  struct {
    rafter_heat_state state;
    double after = 7;
  } caller{};
  caller.state.struct_size = sizeof(rafter_heat_state) - sizeof(double);  // without `max`
  write_struct(function, "state", &caller.state, 16, rafter_heat_state{0, 1, 2, 3, 4, 5});
  EXPECT_EQ(caller.state.struct_size, sizeof(rafter_heat_state) - sizeof(double));
  EXPECT_EQ(caller.state.min, 4);
  EXPECT_EQ(caller.state.max, 0);
  caller.state.struct_size = 1000;  // a later version
  write_struct(function, "state", &caller.state, 16, rafter_heat_state{0, 1, 2, 3, 4, 5});
  EXPECT_EQ(caller.state.struct_size, sizeof(rafter_heat_state)) << "what this version wrote";
  EXPECT_EQ(caller.state.max, 5);
  EXPECT_EQ(caller.after, 7);
  caller.state.struct_size = 8;
  EXPECT_THROW(write_struct(function, "state", &caller.state, 16, rafter_heat_state{}), Error);
}

TEST_F(CApiStructs, FieldsThatAnOlderCallerLacksAreZero) {
  rafter_conv_options older{};
  older.struct_size = 24;
  older.pad_height = 3;
  older.pad_width = 4;
  older.relu = 1;
  const auto read = read_struct(Function("rafter_test"), "options", &older, 24);
  EXPECT_EQ(read.pad_width, 4);
  EXPECT_EQ(read.relu, 0);
}

}  // namespace
}  // namespace rafter::c_api
