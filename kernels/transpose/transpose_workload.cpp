// transpose: the workload's contract and its ladder.
#include "transpose/transpose_answers.hpp"
#include "transpose/transpose_rung.hpp"
#include "workbench/lab/cases/family.hpp"
#include "workbench/lab/cases/pitched.hpp"

#define TRANSPOSE_LADDER(RUNG, OP, PEER)                                                                             \
  RUNG(cpu, plain, "Row by row: every write goes to another line.")                                                  \
  RUNG(cpu, blocked, "Tiles of 32 x 32: lines stay in the cache until they are full.")                               \
  OP(cpu, buffered_tiles, "Tiles transposed in vector registers, written in whole lines or runs, all threads.")      \
  PEER(cpu, eigen, EIGEN, "Eigen's transpose(), one thread.")                                                        \
  RUNG(cuda, naive, "One thread per element: reads are coalesced, writes go to 32 rows at once.")                    \
  RUNG(cuda, shared_tile, "A 32 x 32 tile transposed in shared memory: both sides coalesced, 32 lanes in one bank.") \
  RUNG(cuda, padded_tile, "One element of padding after each row of the tile: no bank conflicts.")                   \
  OP(cuda, by_shape, "16-byte pieces on both sides of swizzled tiles; short sides in chunks of whole rows or columns.")

namespace rafter::transpose_ladder {

RAFTER_DECLARE_LADDER(TransposeRung, TRANSPOSE_LADDER)

namespace {

using namespace lab;
const std::string family = "transpose";

template <class Word>
class TransposeCase final : public CaseFor<TransposeArgs<Word>> {
 public:
  TransposeCase(const Params& params, const Stream& stream, const CaseOptions& options)
      : CaseFor<TransposeArgs<Word>>(stream, options),
        shape_{params.integer("rows"), params.integer("cols")},
        in_stride_(row_stride_of(params, shape_.n_cols)),
        out_stride_(row_stride_of(params, shape_.n_rows, "out_pitch")) {
    for (int set = 0; set < options.n_input_sets; ++set) forbid_gaps(stream, args(set).in);
    forbid_gaps(stream, args(0).out);
  }

  static bool fits(const Params& params) { return params.word("element") == std::to_string(sizeof(Word)); }

  Cost cost() const override {
    const double bytes = static_cast<double>(shape_.n_rows) * static_cast<double>(shape_.n_cols) * sizeof(Word);
    return {.bytes_read = bytes, .bytes_written = bytes};
  }

  TransposeArgs<Word> args(int set) override {
    return {MatrixView<const Word>::unchecked(in_.span(set).data(), shape_, in_stride_),
            MatrixView<Word>::unchecked(out_.data(), {shape_.n_cols, shape_.n_rows}, out_stride_)};
  }

 private:
  Comparison compare_results(int set) const override {
    return out_.compare_with(Transposed<Word>{in_.generator(set), shape_.n_rows, out_stride_});
  }

  MatrixShape shape_;
  std::int64_t in_stride_;
  std::int64_t out_stride_;
  Input<Word, TransposeElements<Word>> in_{*this, "in", extent_of(shape_, in_stride_), [this](int, std::uint64_t seed) {
                                             return TransposeElements<Word>{{seed}, shape_.n_cols, in_stride_};
                                           }};
  Output<Word> out_{*this, "out", extent_of({shape_.n_cols, shape_.n_rows}, out_stride_)};
};

/// Returns the sizes of the elements in bytes, as words.
template <class... Word>
std::vector<std::string> element_sizes(Types<Word...>) {
  return {std::to_string(sizeof(Word))...};
}

std::vector<Params> shapes(std::initializer_list<MatrixShape> all, const std::string& element = "4") {
  std::vector<Params> cases;
  for (const auto& [n_rows, n_cols] : all) cases.push_back({{"rows", n_rows}, {"cols", n_cols}, {"element", element}});
  return cases;
}

std::vector<Params> standard_cases(Device device, Effort effort) {
  if (device == Device::cuda) {
    return effort == Effort::quick ? shapes({{4096, 4096}, {1000000, 10}})
                                   : shapes({{16384, 16384}, {10000000, 10}, {10, 10000000}, {1000, 300000}});
  }
  return effort == Effort::quick ? shapes({{2048, 2048}}) : shapes({{4096, 4096}, {1000000, 10}});
}

/// Returns cases with gaps between rows in the input, the output or both: of one element, and of whole 16-byte pieces.
std::vector<Params> pitched_cases(const std::string& element) {
  std::vector<Params> cases;
  for (const auto& [n_rows, n_cols] : {MatrixShape{33, 31}, {70, 10}, {10, 71}, {64, 80}}) {
    for (const auto& [gap, out_gap] : {std::pair(1, 0), {0, 1}, {16, 16}}) {
      cases.push_back({{"rows", n_rows}, {"cols", n_cols}, {"element", element}});
      if (gap > 0) cases.back().set("pitch", n_cols + gap);
      if (out_gap > 0) cases.back().set("out_pitch", n_rows + out_gap);
    }
  }
  return cases;
}

std::vector<Params> awkward_cases() {
  std::vector<Params> cases;
  const auto add = [&](std::initializer_list<MatrixShape> all, const std::string& element) {
    for (const Params& params : shapes(all, element)) cases.push_back(params);
  };
  // A side of up to 512 bytes is short. The cases cover all row alignments and full and partial tiles on either side.
  for (const std::string& element : element_sizes(TransposeWords{})) {
    add({{0, 0}, {0, 5}, {7, 0}, {1, 1}, {1, 77}, {99, 1}, {3, 5}, {33, 31}, {32, 32}, {700, 10}, {10, 701}}, element);
    for (const Params& params : pitched_cases(element)) cases.push_back(params);
  }
  add({{513, 515}, {640, 516}, {520, 544}}, "1");
  add({{257, 259}, {300, 258}, {264, 272}, {270, 256}}, "2");
  add({{129, 131}, {130, 132}, {192, 132}, {200, 196}, {4000, 3}, {4096, 1}, {9, 3001}, {128, 500}, {500, 128}}, "4");
  add({{65, 67}, {66, 80}, {70, 128}, {1000, 64}}, "8");
  add({{33, 40}, {64, 65}, {32, 500}}, "16");
  add({{1025, 1023}, {99991, 10}, {10, 99991}, {2049, 300}, {129, 4100}}, "4");
  add({{1021, 1030}, {300007, 3}}, "1");
  add({{1021, 1030}}, "8");
  cases.push_back({{"rows", 300}, {"cols", 200}, {"element", "4"}, {"pitch", 203}, {"out_pitch", 305}});
  cases.push_back({{"rows", 4000}, {"cols", 3}, {"element", "4"}, {"pitch", 5}, {"out_pitch", 4096}});
  return cases;
}

}  // namespace

const Workload& workload() {
  static const Workload contract{
      .name = family,
      .summary = "the transpose of a matrix, any shape and element size",
      .parameters = {{"rows", "number of rows", std::int64_t{4096}, true},
                     {"cols", "number of columns", std::int64_t{4096}, true},
                     {"element", "bytes of an element", std::string("4"), false, element_sizes(TransposeWords{})},
                     pitch_parameter("pitch", "the input"),
                     pitch_parameter("out_pitch", "the output")},
      .rungs = RAFTER_LIST_LADDER(TRANSPOSE_LADDER),
      .standard_cases = standard_cases,
      .awkward_cases = awkward_cases,
      .huge_cases =
          [] {
            return shapes({{46349, 46342}, {(std::int64_t{1} << 31) / 10 + 7, 10}, {3, 715827890}});
          },
      .make_case = CasesOf<TransposeCase, TransposeWords>::make,
      .bytes_per_input_set =
          [](const Params& params) {
            const std::int64_t n_rows = params.integer("rows");
            const std::int64_t n_cols = params.integer("cols");
            const double n =
                static_cast<double>(n_rows) * static_cast<double>(row_stride_of(params, n_cols)) +
                static_cast<double>(n_cols) * static_cast<double>(row_stride_of(params, n_rows, "out_pitch"));
            return n * static_cast<double>(parse_integer(params.word("element")));
          },
      .adopt = Adopt<TransposeRung>{},
  };
  return contract;
}

}  // namespace rafter::transpose_ladder
