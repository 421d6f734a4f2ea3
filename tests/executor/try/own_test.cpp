// rafter try and judge with exercises from files: right and wrong kernels, a course, and files with mistakes.
#include "../tool.hpp"

namespace rafter::simt::test {
namespace {

const fs::path own = here / "try/own";

class OwnExercises : public ToolTest {
 protected:
  static Outcome attempt(const std::string& words) { return test::rafter(own, "try " + words); }

  /// Tries a copy of saxpy.json in which one text is replaced by another.
  static Outcome with(const std::string& text, const std::string& other) {
    const fs::path folder = fs::path(testing::TempDir()) / "rafter_own_exercise";
    fs::remove_all(folder);
    fs::copy(own, folder);
    std::string file = contents(folder / "saxpy.json");
    file.replace(file.find(text), text.size(), other);
    std::ofstream(folder / "saxpy.json") << file;
    return test::rafter(folder, "try saxpy.json right.cu");
  }

  static std::string contents(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(OwnExercises, AcceptRightKernelsAndHostFunctions) {
  for (const char* exercise : {"saxpy.json", "row_maxima.json", "total.json"}) {
    const Outcome outcome = attempt(std::string(exercise) + " right.cu");
    EXPECT_EQ(outcome.code, 0) << exercise << outcome.all();
  }
}

TEST_F(OwnExercises, RefuseWrongKernels) {
  for (const char* exercise : {"saxpy.json", "row_maxima.json"}) {
    const Outcome outcome = attempt(std::string(exercise) + " wrong.cu");
    EXPECT_EQ(outcome.code, 1) << exercise << outcome.all();
    EXPECT_TRUE(has(outcome.out, "expected")) << outcome.all();
  }
}

TEST_F(OwnExercises, AreACourse) {
  const Outcome list = attempt(". --list");
  for (const char* name : {"saxpy", "row_maxima", "total"}) EXPECT_TRUE(has(list.out, name)) << list.all();
  EXPECT_EQ(attempt("./saxpy.json right.cu").code, 0);
  const Outcome next = attempt(". --next");
  EXPECT_TRUE(has(next.out, "of 3 exercises are right")) << next.all();
  EXPECT_TRUE(has(next.out, "saxpy")) << next.all();
  const Outcome judged = test::rafter(own, "judge . right.cu wrong.cu");
  EXPECT_EQ(judged.code, 1) << judged.all();
}

TEST_F(OwnExercises, HaveHintsAndStarters) {
  EXPECT_TRUE(has(attempt("saxpy.json --hint 2").out, "Hint 2 of 2: y[i] += a * x[i]"));
  EXPECT_TRUE(has(attempt("saxpy.json --starter").out, "__global__ void saxpy(float a, const float* x"));
  EXPECT_EQ(attempt("total.json --hint").code, 2);
}

TEST_F(OwnExercises, NameTheMistakeInTheirFile) {
  struct Mistake {
    const char *text, *other, *message;
  };
  const Mistake mistakes[] = {{"\"rules\"", "\"rulse\"", "unknown key 'rulse': did you mean 'rules'?"},
                              {"per_thread", "per_thred", "did you mean 'results_per_thread'?"},
                              {"special", "spezial", "did you mean 'special'?"},
                              {"\"n\": 5000", "\"m\": 5000", "case 1: unknown parameter 'm'"},
                              {"saxpy_reference", "nothing", "there is no reference file"},
                              {"saxpy_reference", "total_reference", "it has 3 parameters; saxpy has 4"},
                              {"\"n / ", "\"nn / ", "'grid': unknown name 'nn': did you mean 'n'?"},
                              {"1e-6", "-1", "'tolerance' is negative"},
                              {"[\"One", "\"One", "is not JSON"},
                              {"5000", "5000000000", "x has 5e+09 elements"},
                              {"\"kernel\": \"saxpy\",", "", "'kernel' is missing"}};
  for (const auto& [text, other, message] : mistakes) {
    const Outcome outcome = with(text, other);
    EXPECT_EQ(outcome.code, 2) << message << outcome.all();
    EXPECT_TRUE(has(outcome.all(), message)) << message << outcome.all();
  }
}

}  // namespace
}  // namespace rafter::simt::test
