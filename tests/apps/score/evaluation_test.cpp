// Scores compared with labels, and scores of recordings.
#include "apps/score/evaluation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "apps/classify/image_files.hpp"
#include "base/files.hpp"
#include "workbench/lab/expect_error.hpp"
#include "workbench/lab/temporary_folder.hpp"

namespace rafter::score {
namespace {

using classify::bytes_of;
using classify::npy_file;
using lab::expect_error;
using Floats = std::vector<float>;
using Labels = std::vector<std::int64_t>;

TEST(Detection, IsPerfectForSeparatedScores) {
  const auto found = detection(Floats{1, 5, 2, 6, 3}, Labels{0, 1, 0, 1, 0});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->auc, 1);
  EXPECT_EQ(found->threshold, 5);
  EXPECT_EQ(found->detected, 1);
  EXPECT_EQ(found->false_alarms, 0);
  EXPECT_EQ(found->n_anomalies, 2);
  EXPECT_EQ(detection(Floats{1, 5, 2, 6, 3}, Labels{1, 0, 1, 0, 1})->auc, 0) << "all the wrong way round";
}

TEST(Detection, CountsEqualScoresHalf) {
  EXPECT_EQ(detection(Floats{2, 2, 2, 2}, Labels{1, 0, 0, 1})->auc, 0.5);
  EXPECT_EQ(detection(Floats{3, 2, 2, 1}, Labels{1, 0, 1, 0})->auc, 0.875);
}

TEST(Detection, CountsPairsInTheRightOrder) {
  std::mt19937 random(3);
  Floats scores;
  Labels labels;
  for (int i = 0; i < 300; ++i) {
    labels.push_back(random() % 3 == 0 ? 1 : 0);
    scores.push_back(static_cast<float>(random() % 50 + 10u * static_cast<unsigned>(labels.back())));
  }
  double in_order = 0, n_pairs = 0, best = -1;
  for (std::size_t a = 0; a < scores.size(); ++a) {
    double detected = 0, n_anomalies = 0, false_alarms = 0, n_normal = 0;
    for (std::size_t b = 0; b < scores.size(); ++b) {
      if (labels[a] == 1 && labels[b] == 0) {
        ++n_pairs;
        in_order += scores[a] > scores[b] ? 1 : scores[a] == scores[b] ? 0.5 : 0;
      }
      ++(labels[b] == 1 ? n_anomalies : n_normal);
      if (scores[b] >= scores[a]) ++(labels[b] == 1 ? detected : false_alarms);
    }
    best = std::max(best, detected / n_anomalies - false_alarms / n_normal);
  }
  const auto found = detection(scores, labels);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->auc, in_order / n_pairs, 1e-12);
  EXPECT_NEAR(found->detected - found->false_alarms, best, 1e-12);
}

TEST(Detection, NeedsBothKindsOfFiniteScores) {
  EXPECT_FALSE(detection(Floats{1, 2}, Labels{0, 0}));
  EXPECT_FALSE(detection(Floats{1, 2}, Labels{1, 1}));
  EXPECT_FALSE(detection(Floats{}, Labels{}));
  EXPECT_FALSE(detection(Floats{NAN, 2}, Labels{1, 0}));
  EXPECT_EQ(detection(Floats{NAN, 2, 1, INFINITY}, Labels{0, 1, 0, 0})->auc, 1);
}

TEST(Recordings, AreSummarised) {
  const Floats scores{1, 4, 3, NAN, 5, NAN};
  const Labels ids{7, -2, 7, 7, -2, 9}, labels{0, 0, 1, 0, 0, 1};
  const auto all = recordings_of(scores, ids, labels);
  ASSERT_EQ(all.size(), 2u) << "9 has no finite score";
  EXPECT_EQ(to_csv(all, true), "recording,windows,mean,highest,label\n-2,2,4.5,5,0\n7,2,2,3,1\n");
  EXPECT_EQ(to_csv(recordings_of(scores, ids, {}), false), "recording,windows,mean,highest\n-2,2,4.5,5\n7,2,2,3\n");
}

TEST(ScoreLabels, AreIntegersOrBooleans) {
  const lab::TemporaryFolder folder;
  const std::string path = folder.path() / "y.npy";
  const auto put = [&](const std::string& type, const std::string& shape, const std::string& bytes) {
    base::write_file(path, npy_file(type, shape, bytes));
  };
  const Labels expected{0, 1, 1};
  put("|b1", "(3,)", std::string("\0\1\1", 3));
  EXPECT_EQ(read_labels(path, 3), expected);
  put("<i8", "(3,)", bytes_of(expected));
  EXPECT_EQ(read_labels(path, 3), expected);
  put("<i4", "(3,)", bytes_of(std::vector<std::int32_t>{-5, 2, 1}));
  EXPECT_EQ(read_integers(path, 3), (Labels{-5, 2, 1}));
  expect_error(ErrorCode::bad_argument, "y.npy' has the label -5 for window 0; expected 0 (normal) or 1",
               [&] { read_labels(path, 3); });
  expect_error(ErrorCode::bad_argument, "has the shape (3,); expected one number for each of the 4 windows, (4,)",
               [&] { read_labels(path, 4); });
  put("<f4", "(3,)", bytes_of(std::vector<float>{0, 1, 1}));
  expect_error(ErrorCode::bad_argument, "type '<f4'; expected integers", [&] { read_labels(path, 3); });
}

}  // namespace
}  // namespace rafter::score
