// Padding of thread-local objects, on the assembly text that g++ writes for both machines.
#include "executor/build/redzones.hpp"

#include <gtest/gtest.h>

namespace rafter::simt::build {
namespace {

TEST(Redzones, FollowEachThreadLocalObject) {
  EXPECT_EQ(
      add_redzones("\t.section\t.tbss,\"awT\",@nobits\n\t.align 4\n\t.type\ts, @object\n\t.size\ts, 7\ns:\n\t.zero\t7\n"
                   "\t.align 8\n\t.type\tt, @object\nt:\n\t.zero\t8\n\t.text\nf:\n\tret\n"),
      "\t.section\t.tbss,\"awT\",@nobits\n\t.align 4\n\t.type\ts, @object\n\t.size\ts, "
      "7\n\t.balign\t16\ns:\n\t.zero\t7\n"
      "\t.zero\t64\n"
      "\t.align 8\n\t.type\tt, @object\n\t.balign\t16\nt:\n\t.zero\t8\n\t.zero\t64\n\t.text\nf:\n\tret\n");
}

TEST(Redzones, CoverDataAndComdatSections) {
  EXPECT_EQ(
      add_redzones(
          "\t.section\t.tdata._ZZ1q,\"awTG\",@progbits,_ZZ1q,comdat\n_ZZ1q:\n\t.word\t1\n\t.zero\t4\n\t.weak\tz\n"),
      "\t.section\t.tdata._ZZ1q,\"awTG\",@progbits,_ZZ1q,comdat\n\t.balign\t16\n_ZZ1q:\n\t.word\t1\n\t.zero\t4\n"
      "\t.zero\t64\n\t.weak\tz\n");
  EXPECT_EQ(add_redzones("\t.section .tbss.a,\"awT\"\na:\n\t.zero 4"),
            "\t.section .tbss.a,\"awT\"\n\t.balign\t16\na:\n\t.zero 4\n\t.zero\t64\n");
  EXPECT_EQ(add_redzones("\t.section rafter_device,\"aw\"\na:\n\t.zero 4\n"),
            "\t.section rafter_device,\"aw\"\na:\n\t.zero 4\n\t.zero\t64\n");
}

TEST(Redzones, LeaveOtherSectionsUnchanged) {
  for (const char* text :
       {"\t.bss\nx:\n\t.zero\t4\n", "\t.data\nx:\n\t.word\t4\n", "\t.section\t.rodata\n.LC0:\n\t.string\t\".tbss\"\n",
        "\t.section\t.tbss,\"awT\",@nobits\n\t.set\t.LANCHOR0,. + 0\ns:\n\t.zero\t7\n", ""})
    EXPECT_EQ(add_redzones(text), text);
}

}  // namespace
}  // namespace rafter::simt::build
