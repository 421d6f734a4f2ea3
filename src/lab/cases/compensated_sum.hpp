// Sums in double whose error does not grow with the number of terms (Neumaier); for references.
#pragma once

#include <cmath>

namespace rafter::lab {

class CompensatedSum {
 public:
  void add(double x) {
    const double next = total_ + x;
    lost_ += std::abs(total_) >= std::abs(x) ? (total_ - next) + x : (x - next) + total_;
    total_ = next;
  }
  void add(const CompensatedSum& other) {
    add(other.total_);
    lost_ += other.lost_;
  }
  double value() const { return total_ + lost_; }

 private:
  double total_ = 0;
  double lost_ = 0;
};

}  // namespace rafter::lab
