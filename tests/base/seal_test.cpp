#include "base/seal.hpp"

#include <gtest/gtest.h>

namespace rafter::base {
namespace {

const std::string bytes("two\nlines\0and a zero", 20);

TEST(Seal, OpensWithItsKeyAndPurpose) {
  const std::string key = new_key(), message = seal(key, "report", bytes);
  EXPECT_EQ(unseal(key, "report", message), bytes);
  EXPECT_EQ(unseal(key, "report", seal(key, "report", "")), "");
}

TEST(Seal, RejectsAnotherKeyOrPurpose) {
  const std::string key = new_key(), message = seal(key, "plan", bytes);
  EXPECT_NE(key, new_key());
  EXPECT_EQ(unseal(new_key(), "plan", message), std::nullopt);
  EXPECT_EQ(unseal(key, "arrays", message), std::nullopt);
}

TEST(Seal, RejectsEveryChangedByte) {
  const std::string key = new_key(), message = seal(key, "report", bytes);
  for (std::size_t i = 0; i < message.size(); ++i) {
    std::string changed = message;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    EXPECT_EQ(unseal(key, "report", changed), std::nullopt) << i;
    EXPECT_EQ(unseal(key, "report", message.substr(0, i)), std::nullopt) << i;
  }
  EXPECT_EQ(unseal(key, "report", message + "x"), std::nullopt);
}

}  // namespace
}  // namespace rafter::base
