// Expects an Error with a code and a part of its message.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "rafter/error.hpp"

namespace rafter::lab {

template <class Call>
void expect_error(ErrorCode code, const std::string& part, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "no Error; expected one that says '" << part << "'";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  } catch (const std::exception& other) {
    ADD_FAILURE() << "not an Error: " << other.what();
  }
}

}  // namespace rafter::lab
