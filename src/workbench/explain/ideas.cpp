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
     "let neighbouring threads touch neighbouring elements: an array for each member of a structure, or a tile that "
     "goes "
     "through shared memory",
     "rows warp_per_row"},
    {Cause::power_of_two_stride, "a stride of a power of two",
     "let neighbouring threads touch neighbouring elements; where columns must be read, turn a tile of them in shared "
     "memory",
     "transpose shared_tile"},
    {Cause::misaligned, "misaligned accesses",
     "start rows at multiples of 32 bytes (cudaMallocPitch does), or shift the threads' indices by the few elements",
     "rows by_shape"},
    {Cause::bank_conflicts, "bank conflicts", "make rows of the shared array one element longer, as in tile[32][33]",
     "transpose padded_tile"},
    {Cause::one_address_atomics, "atomics on one address",
     "add up within the warp (__shfl_down_sync) and the block first, then one atomic a block", "sum warp_shuffle"},
    {Cause::divergence, "divergence",
     "let whole warps take the same side: sort or group the work by what it needs, or compute both sides without a "
     "branch",
     "rows by_shape"},
    {Cause::spills, "spilled registers",
     "raise the limit of registers (__launch_bounds__, -maxrregcount), or keep less alive: shorter unrolled loops, "
     "arrays "
     "indexed by constants only",
     "conv direct"},
    {Cause::registers, "few warps, because of registers",
     "keep fewer values alive in a thread, or limit registers by __launch_bounds__(threads, blocks) as long as nothing "
     "spills",
     "conv swept"},
    {Cause::shared_memory, "few warps, because of shared memory",
     "take a smaller tile for each block, or let a thread keep part of it in registers", "conv half_storage"},
    {Cause::few_blocks, "too few blocks", "divide the work into more blocks: a thread an element, not a block for all",
     "fill many_blocks"},
    {Cause::few_threads, "too few threads",
     "start more threads, each with less to do: a multiprocessor hides waiting by other warps", "mul_add many_blocks"},
    {Cause::tail_wave, "a last wave that is nearly empty",
     "choose the number of blocks as a multiple of what runs at once, or let a fixed number of them walk the work in a "
     "grid-stride loop",
     "sum grid_stride"},
    {Cause::launch, "launches",
     "do more in one launch: fuse kernels, let one launch do many steps, or replay a CUDA graph",
     "spectral one_kernel"},
    {Cause::chain, "a chain of dependent instructions",
     "give a thread several independent chains, such as four accumulators, or start more threads", "sum grid_stride"},
    {Cause::load_latency, "few loads under way",
     "start several loads before the first is used: unroll the loop, or load 16 bytes at a time",
     "gather several_in_flight"},
    {Cause::wide_division, "64-bit division",
     "divide in 32 bits where the sizes allow it, by a constant, or carry row and column along instead of dividing",
     "transpose by_shape"},
    {Cause::barriers, "barriers", "do more between two barriers: several elements a thread, or a warp's own shuffles",
     "sum unrolled"},
    {Cause::rereads, "the same data loaded again and again",
     "keep it close: a tile in shared memory for the block, several results for a thread from one load", "conv direct"},
    {Cause::many_blocks, "starts of blocks",
     "fewer and longer blocks: several elements for each thread, 16 bytes at a time, or a grid-stride loop",
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
     "fewer of them: wider accesses, less index arithmetic, several elements a thread; matrix products on tensor cores",
     "fill vectorised"},
    {Cause::several, "several things at once",
     "do more for each barrier, access and index: several elements a thread, sums through registers before shared "
     "memory",
     "sum warp_shuffle"},
    {Cause::stage, "a stage", "", ""},
    {Cause::above_floor, "above the floor",
     "let loads start earlier: no branch between them, several rows or elements ahead of the one that is worked on, "
     "more warps",
     "gather several_in_flight"},
    {Cause::cold_caches, "cold caches", "", ""},
    {Cause::cache, "the L2", "let blocks fetch less of what others fetch, too: larger tiles, more results for a thread",
     "conv direct"},
    {Cause::other_floor, "nothing in particular", "measure it on a GPU: what follows from counts alone says no more",
     ""},
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

std::string place(const SourceLine& at) {
  if (at.line == 0) return "";
  return at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line);
}

}  // namespace rafter::explain
