// Sums in double whose error does not grow with the number of terms (Neumaier); for references.
#pragma once

namespace rafter::lab {

class CompensatedSum {
 public:
  constexpr void add(double x) {
    const double next = total_ + x;
    lost_ += magnitude(total_) >= magnitude(x) ? (total_ - next) + x : (x - next) + total_;
    total_ = next;
  }
  constexpr void add(const CompensatedSum& other) {
    add(other.total_);
    lost_ += other.lost_;
  }
  constexpr double value() const { return total_ + lost_; }

 private:
  static constexpr double magnitude(double x) { return x < 0 ? -x : x; }

  double total_ = 0;
  double lost_ = 0;
};

}  // namespace rafter::lab
