#include "executor/check/speculative_launch.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

namespace rafter::simt {

ReadWriteSet::ReadWriteSet(SpeculativeLaunch& launch, std::byte* base, std::size_t bytes)
    : launch_(launch),
      base_(base),
      bytes_((bytes / page_bytes + 1) * sizeof(Page*)),
      pages_(static_cast<Page**>(reserve_bytes(bytes_))) {}

ReadWriteSet::~ReadWriteSet() {
  if (pages_) munmap(pages_, bytes_);
}

bool ReadWriteSet::add_pages(std::size_t first, std::size_t last, bool writes) {
  for (std::size_t at = first; at <= last; at = (at / page_bytes + 1) * page_bytes) {
    const std::size_t end = std::min(last, (at / page_bytes + 1) * page_bytes - 1);
    if (!add_words(at / page_bytes, at % page_bytes / 4, end % page_bytes / 4, writes)) return false;
  }
  return true;
}

ReadWriteSet::Page& ReadWriteSet::make(std::size_t number) {
  if (n_made_ == made_.size()) made_.emplace_back();
  Page& page = made_[n_made_++];
  page = {};
  pages_[number] = &page;
  numbers_.push_back(number);
  return page;
}

bool ReadWriteSet::save(std::size_t number, Page& page) { return page.is_saved = launch_.save(number); }

bool ReadWriteSet::merge(std::size_t number, Page& other) {
  Page* mine = pages_[number];
  if (!mine) {
    pages_[number] = &other;
    numbers_.push_back(number);
    return true;
  }
  constexpr std::uint64_t reads = 0x5555555555555555;
  for (std::size_t i = 0; i < mine->words.size(); ++i) {
    const std::uint64_t a = mine->words[i], b = other.words[i];
    const std::uint64_t touched_a = (a | a >> 1) & reads, touched_b = (b | b >> 1) & reads;
    if ((touched_a & b >> 1) | (touched_b & a >> 1)) return false;
    mine->words[i] |= b;
  }
  return true;
}

void ReadWriteSet::clear() {
  for (const std::size_t number : numbers_) pages_[number] = nullptr;
  numbers_.clear();
  n_made_ = 0;
}

bool SpeculativeLaunch::begin(int n_workers) {
  n_workers_ = n_workers;
  while (read_write_sets_.size() < static_cast<std::size_t>(n_workers)) {
    auto read_write_set = std::make_unique<ReadWriteSet>(*this, memory_.base, memory_.bytes);
    if (!read_write_set->is_good()) return false;
    read_write_sets_.push_back(std::move(read_write_set));
  }
  return true;
}

std::size_t SpeculativeLaunch::bytes_of(std::size_t page) const {
  return std::min(page_bytes, memory_.bytes - page * page_bytes);
}

bool SpeculativeLaunch::save(std::size_t page) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = saved_.try_emplace(page);
  if (!is_new) return true;
  if (saved_.size() > most_saved) {
    saved_.erase(at);
    return false;
  }
  at->second = std::make_unique<Saved>();
  std::memcpy(at->second->bytes.data(), memory_.base + page * page_bytes, bytes_of(page));
  std::memcpy(at->second->states.data(), memory_.state + page * page_bytes / 4, bytes_of(page) / 4);
  return true;
}

bool SpeculativeLaunch::has_conflict() {
  ReadWriteSet& all = read_write_set(0);
  for (int worker = 1; worker < n_workers_; ++worker) {
    for (const std::size_t number : read_write_set(worker).numbers()) {
      if (!all.merge(number, *read_write_set(worker).find(number))) return true;
    }
  }
  return false;
}

void SpeculativeLaunch::roll_back() {
  for (const auto& [page, saved] : saved_) {
    std::memcpy(memory_.base + page * page_bytes, saved->bytes.data(), bytes_of(page));
    std::memcpy(memory_.state + page * page_bytes / 4, saved->states.data(), bytes_of(page) / 4);
  }
}

void SpeculativeLaunch::end() {
  saved_.clear();
  for (const auto& read_write_set : read_write_sets_) read_write_set->clear();
}

}  // namespace rafter::simt
