#include <fmt/format.h>

#include "base/units.hpp"
#include "workbench/explain/causes.hpp"

namespace rafter::explain {

namespace {

struct Idea {
  Cause cause;
  const char* name;
  const char* idea;
  const char* shown_by;
};

constexpr Idea ideas[] = {
    {Cause::uncoalesced, "uncoalesced accesses",
     "let adjacent threads access adjacent elements: an array per member of a structure, or a tile in shared memory",
     "rows warp_per_row"},
    {Cause::power_of_two_stride, "a stride of a power of two",
     "let adjacent threads access adjacent elements; to read columns, transpose a tile in shared memory",
     "transpose shared_tile"},
    {Cause::misaligned, "misaligned accesses",
     "start rows at multiples of 32 bytes (cudaMallocPitch does), or shift the threads' indices by the few elements",
     "rows by_shape"},
    {Cause::bank_conflicts, "bank conflicts", "make rows of the shared array one element longer, as in tile[32][33]",
     "transpose padded_tile"},
    {Cause::one_address_atomics, "atomics on one address",
     "sum within the warp (__shfl_down_sync) and the block first, then use one atomic per block", "sum warp_shuffle"},
    {Cause::divergence, "divergence",
     "let whole warps take the same branch: sort or group the work, or compute both sides without a branch",
     "rows by_shape"},
    {Cause::spills, "spilled registers",
     "raise the register limit (__launch_bounds__, -maxrregcount), or keep fewer values alive: shorter unrolled loops, "
     "arrays indexed by constants only",
     "conv direct"},
    {Cause::registers, "few warps, because of registers",
     "keep fewer values alive in a thread, or limit registers by __launch_bounds__(threads, blocks) as long as nothing "
     "spills",
     "conv swept"},
    {Cause::shared_memory, "few warps, because of shared memory",
     "use a smaller tile per block, or keep part of it in registers", "conv half_storage"},
    {Cause::few_blocks, "too few blocks",
     "divide the work into more blocks: one thread per element, not one block for all", "fill many_blocks"},
    {Cause::few_threads, "too few threads",
     "start more threads with less work each: a multiprocessor hides latency by running other warps",
     "mul_add many_blocks"},
    {Cause::tail_wave, "a last wave that is nearly empty",
     "choose the number of blocks as a multiple of what runs at once, or use a fixed number of blocks with a "
     "grid-stride loop",
     "sum grid_stride"},
    {Cause::launch, "launches",
     "do more in one launch: fuse kernels, let one launch do many steps, or replay a CUDA graph",
     "spectral one_kernel"},
    {Cause::chain, "a chain of dependent instructions",
     "give a thread several independent chains, such as four accumulators, or start more threads", "sum grid_stride"},
    {Cause::load_latency, "few loads under way",
     "issue several loads before the first is used: unroll the loop, or load 16 bytes at a time",
     "gather several_in_flight"},
    {Cause::wide_division, "64-bit division",
     "divide in 32 bits where the sizes allow it, by a constant, or carry row and column along instead of dividing",
     "transpose by_shape"},
    {Cause::barriers, "barriers", "do more work between barriers: several elements per thread, or warp shuffles",
     "sum unrolled"},
    {Cause::rereads, "the same data loaded again and again",
     "reuse it: a tile in shared memory per block, several results per thread from one load", "conv direct"},
    {Cause::many_blocks, "starts of blocks",
     "use fewer and longer blocks: several elements per thread, 16 bytes at a time, or a grid-stride loop",
     "fill vectorised"},
    {Cause::copies, "copies between host and device",
     "keep data on the GPU between kernels, use pinned memory (cudaMallocHost), and copy one batch while another is "
     "computed",
     ""},
    {Cause::memory_floor, "memory, at the floor",
     "only fewer bytes help: smaller types, fusing with the kernel before or after, or not storing what can be "
     "computed",
     "heat fused_sweeps"},
    {Cause::instructions, "instructions",
     "execute fewer of them: wider accesses, less index arithmetic, several elements per thread, tensor cores",
     "fill vectorised"},
    {Cause::several, "several things at once",
     "do more work per barrier, access and index: several elements per thread, sums in registers before shared memory",
     "sum warp_shuffle"},
    {Cause::stage, "a stage", "", ""},
    {Cause::above_floor, "above the floor",
     "issue loads earlier: no branch between them, several rows or elements ahead of the current one, more warps",
     "gather several_in_flight"},
    {Cause::cold_caches, "cold caches", "", ""},
    {Cause::cache, "the L2", "let blocks fetch less data in common: larger tiles, more results per thread",
     "conv direct"},
    {Cause::other_floor, "nothing in particular", "measure it on a GPU: the counts show nothing more", ""},
};

const Idea& idea_of(Cause cause) {
  for (const Idea& idea : ideas) {
    if (idea.cause == cause) return idea;
  }
  return ideas[0];
}

}  // namespace

const char* name(Cause cause) noexcept { return idea_of(cause).name; }

Finding finding_of(Cause cause) {
  const Idea& idea = idea_of(cause);
  Finding made;
  made.cause = cause;
  made.idea = idea.idea;
  made.shown_by = idea.shown_by;
  return made;
}

std::string count_text(double n) { return n < 999.5 ? fmt::format("{:.3g}", n) : base::show_rate(n, ""); }

std::string place(const SourceLine& at) {
  if (at.line == 0) return "";
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

}  // namespace rafter::explain
