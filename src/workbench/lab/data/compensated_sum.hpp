// Compensated summation in double, for references: the rounding error of each addition (Knuth's TwoSum) is summed
// separately, so that the error of the result does not grow with the number of terms.
#pragma once

namespace rafter::lab {

class CompensatedSum {
 public:
  constexpr void add(double x) {
    const double next = total_ + x;
    const double added = next - total_;
    lost_ += (total_ - (next - added)) + (x - added);
    total_ = next;
  }
  constexpr void add(const CompensatedSum& other) {
    add(other.total_);
    lost_ += other.lost_;
  }
  constexpr double value() const { return total_ + lost_; }

 private:
  double total_ = 0;
  double lost_ = 0;
};

}  // namespace rafter::lab
