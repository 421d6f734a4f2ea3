// Numbers and times as text.
#pragma once

#include <cstdint>
#include <string>

namespace rafter::base {

std::string show_time(double ns);           ///< "12.3 us"
std::string show_duration(double seconds);  ///< "42 s", "5:03 min", "2:07 h"; rounded up
std::string show_bytes(double bytes);       ///< "1.07 GB"
std::string show_rate(double per_second,
                      const char* unit);     ///< "4.55 TB/s" for "B/s", "8.1 k frames/s" for " frames/s"
std::string show_count(std::int64_t count);  ///< "2^28" for powers of two from 1024 on, otherwise in decimal
std::string show_ratio(double ratio);        ///< "5.93x", "118x"
std::string now_utc();                       ///< the current time: "2026-01-02T03:04:05Z"

}  // namespace rafter::base
