#include "workbench/trial/course.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/terminal.hpp"
#include "rafter/error.hpp"

namespace rafter::trial {

namespace {

using nlohmann::json;

struct Step {
  const char* kernel;
  std::vector<std::string> hints;
};

/// The exercises in the order of docs/cuda-day.md.
const std::vector<Step>& course() {
  static const std::vector<Step> steps{
      {"zero",
       {"Every thread runs the same code; threadIdx.x tells it which one it is.",
        "dest[threadIdx.x] is this thread's element."}},
      {"one", {"This is zero with another value.", "Write each element once: dest[threadIdx.x] = 1."}},
      {"mul_add",
       {"Give the index of the thread a name: int i = threadIdx.x;", "All three inputs and dest have the same index."}},
      {"sum_atomic",
       {"The index is that of the block times the threads of a block, plus that of the thread. The last block has more "
        "threads than elements.",
        "Many threads add to dest[0]: a plain += loses additions, atomicAdd(dest, value) does not.",
        "blockIdx.x * blockDim.x has 32 bits. Make one factor an int64_t before the product."}},
      {"filter_atomic",
       {"A thread needs a place of its own in dest. atomicAdd returns the value from before the addition.",
        "int place = atomicAdd(counter, 1); is an index that no other thread has.",
        "Compare fabsf(inp[i]) with threshold, and write inp[i] itself."}},
      {"index",
       {"Check b[i] before you use it: negative, or at least aSize.",
        "Keep b[i] in an int64_t: as an int, some bad indices look good.",
        "printf in a kernel works as on the host: name i or b[i], then return without a write to dest."}},
      {"sum_rows",
       {"The thread's number is c, and r runs over the elements that it adds.",
        "Add into a variable, float sum = 0;, and write dest[c] once.", "c * nrows + r needs 64 bits."}},
      {"sum_1024",
       {"Each thread writes one element to __shared__ float tile[1024], and 0 beyond the end.",
        "Add the upper half of the tile to the lower half, until one element is left.",
        "Put a __syncthreads() after the first write and after each halving, outside of every if."}},
      {"sum_final",
       {"A launch of sum_1024 leaves a sum for each block. What adds these up?",
        "Launch in a loop: the sums of one round are the input of the next, until there is one block.",
        "Two arrays from cudaMalloc take turns as output; the last round writes to dest. Free both."}},
      {"scan",
       {"Take 1024 elements at a time, and keep the sum of all before them in a variable.",
        "Within the tile: each step adds the element 1, 2, 4, ... places to the left.",
        "Read the left element into a variable, __syncthreads(), add, __syncthreads()."}},
      {"exclusive_scan",
       {"It is scan, but element i takes what scan leaves at i - 1.",
        "Do not subtract the own element again: infinity minus infinity is NaN. Read the left neighbour's sum."}},
      {"filter_ordered",
       {"The place of a kept element is the number of kept elements before it: an exclusive scan of 0 and 1.",
        "Scan the flags of 1024 elements in shared memory, and keep how many came before them.",
        "Every thread computes the same total; one writes the counter at the end."}},
      {"scatter_sum",
       {"The element's key is where it is added.", "Many threads may have the same key: use atomicAdd.",
        "Keys and indices have 64 bits."}},
      {"reduce_by_key",
       {"Equal keys are adjacent, so a warp has few of them. Let its lanes add up first.",
        "Shuffle key and sum down by 1, 2, 4, 8, 16, and add while the keys are equal.",
        "The first lane of each key holds its sum: it does the one atomicAdd. Compare keys in 64 bits."}},
      {"reduce_by_key_gradient",
       {"A sum hands its gradient to each of its terms.", "grad_values[i] is grad_dest at keys[i]: nothing is added."}},
      {"transpose",
       {"The thread's column and row are swapped in dest.",
        "For speed, load a tile of 32 x 32 into shared memory by rows, and store it by rows of the result.",
        "Both offsets, and the column, need 64 bits."}},
      {"sum_rows_half",
       {"It is sum_rows with __half; the sum itself is a float.",
        "__half2float(x) before each addition, __float2half(sum) once at the end."}},
      {"matmul",
       {"x is the column and y the row of the thread's element of c.", "Walk along row y of a and down column x of b.",
        "q * n + x and y * k + q need 64 bits."}},
      {"matmul_tiled",
       {"The threads of a block use the same rows of a and columns of b: load 16 of each at a time.",
        "Each thread loads one element of both tiles, 0 beyond the edge; then __syncthreads().",
        "A second __syncthreads() after the sums: the next tile must not overwrite what others still read."}},
      {"conv",
       {"blockIdx.z is image and map: b = blockIdx.z / maps, m = blockIdx.z % maps.",
        "The pixel is row y + p - pad, column x + q - pad. Skip it outside of the image.",
        "Offsets of pixels, weights and outputs need 64 bits."}},
      {"conv_tiled",
       {"The block's outputs need 16 + ksize - 1 pixels in each direction, of one channel at a time.",
        "There are more pixels than threads: thread t loads pixels t, t + 256, ...",
        "One __syncthreads() after the load, and one before the next channel overwrites the tile."}},
      {"winograd",
       {"Load 4 x 4 pixels into registers, and transform them with additions: B^T d B.",
        "Transform the 3 x 3 weights to 4 x 4: G g G^T. Multiply elementwise: 16 products for each channel.",
        "Add the products of all channels first, then transform once to 2 x 2 outputs: A^T m A."}},
  };
  return steps;
}

/// The name of an exercise in the file of progress, and as one types it.
std::string key_of(const lab::Exercise& exercise) { return exercise.file.empty() ? exercise.kernel : exercise.file; }
std::string typed_name(const lab::Exercise& exercise) {
  return exercise.file.empty() ? exercise.kernel : exercise.workload;
}

std::filesystem::path progress_file() { return base::cache_folder() / "try/progress.json"; }

json progress() {
  json all = json::parse(base::read_file(progress_file()).value_or(""), nullptr, false);
  return all.is_object() ? all : json::object();
}

}  // namespace

const std::vector<std::string>& hints_of(const lab::Exercise& exercise) {
  static const std::vector<std::string> none;
  if (!exercise.file.empty()) return exercise.hints;
  const auto step =
      std::find_if(course().begin(), course().end(), [&](const Step& one) { return one.kernel == exercise.kernel; });
  return step == course().end() ? none : step->hints;
}

std::string hint(const lab::Exercise& exercise, int step) {
  const std::vector<std::string>& hints = hints_of(exercise);
  const int n = static_cast<int>(hints.size());
  if (n == 0) throw Error(ErrorCode::bad_argument, fmt::format("there are no hints for {}", exercise.kernel));
  if (step < 1 || step > n)
    throw Error(ErrorCode::bad_argument, fmt::format("{} has {} hints; --hint takes 1 to {}", exercise.kernel, n, n));
  const std::string more =
      step < n ? fmt::format("The next one: rafter try {} --hint {}\n", typed_name(exercise), step + 1) : "";
  return base::wrapped(fmt::format("Hint {} of {}: {}", step, n, hints[static_cast<std::size_t>(step - 1)]), "", "  ") +
         more;
}

void note_progress(const lab::Exercise& exercise, const std::string& verdict, const std::string& file) {
  const bool is_of_course = !exercise.file.empty() || !hints_of(exercise).empty();
  if (!is_of_course) return;
  try {
    json all = progress();
    json& one = all[key_of(exercise)];
    const bool was_right = one.is_object() && one.value("is_right", false);
    const int n_tries = one.is_object() ? one.value("tries", 0) : 0;
    one = {{"is_right", was_right || verdict == "right"}, {"tries", n_tries + 1}, {"verdict", verdict}, {"file", file}};
    base::write_file(progress_file(), all.dump(1, ' ', false, json::error_handler_t::replace));
  } catch (const std::exception&) {  // a cache that cannot be written, or that is damaged
  }
}

std::vector<lab::Exercise> in_order_of_course(const std::vector<lab::Exercise>& all) {
  std::vector<lab::Exercise> ordered;
  for (const Step& step : course())
    std::copy_if(all.begin(), all.end(), std::back_inserter(ordered),
                 [&](const lab::Exercise& one) { return one.kernel == step.kernel; });
  return ordered;
}

std::string progress_text(const std::vector<lab::Exercise>& exercises) {
  const json noted = progress();
  const auto about = [&](const lab::Exercise& one) {
    const auto found = noted.find(key_of(one));
    return found != noted.end() && found->is_object() ? *found : json::object();
  };
  std::string right;
  int n_right = 0;
  const lab::Exercise* next = nullptr;
  for (const lab::Exercise& one : exercises) {
    if (about(one).value("is_right", false)) {
      right += (n_right++ > 0 ? ", " : "") + one.kernel;
    } else if (next == nullptr) {
      next = &one;
    }
  }
  std::string text = base::wrapped(
      fmt::format("{} of {} exercises are right{}{}", n_right, exercises.size(), n_right > 0 ? ": " : "", right), "",
      "  ");
  if (next == nullptr) {
    const bool is_built_in = exercises.front().file.empty();
    return text + "The course is complete." + (is_built_in ? " rafter run --help: how fast can they be?\n" : "\n");
  }
  text += fmt::format("Next: {}, {}\n", next->kernel, next->title);
  if (const json last = about(*next); last.contains("tries"))
    text += fmt::format("  tried so far: {}; the last time {} was {}\n", last.value("tries", 0),
                        last.value("file", "?"), last.value("verdict", "?"));
  return text + fmt::format("  rafter try {0} --starter > {1}.cu     rafter try {0} --hint\n", typed_name(*next),
                            next->kernel);
}

}  // namespace rafter::trial
