// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/piece_stream.hpp"
#include "groth16/device_key.cuh"

namespace cuzk::gpu {

// The points of a key a chunk at a time: slices of a resident key, or pieces of a streamed one in two slots of the
// workspace.
template <class Set>
class ChunkSource {
 public:
  size_t count() const { return (total_ + chunk_ - 1) / chunk_; }

 protected:
  using Key = DeviceKey<Set>;

  ChunkSource(Gpu &gpu, const cuzk::Context &host, const Key &key, uint64_t total)
      : gpu_(gpu), host_(host), key_(key), total_(total), chunk_(uint64_t{1} << key.plan.chunk_log2) {}

  uint64_t first(size_t chunk) const { return chunk * chunk_; }
  uint64_t last(size_t chunk) const { return std::min(total_, first(chunk) + chunk_); }

  // Called by the constructors of subclasses: the worker calls them back.
  void start(Context &context, uint64_t slotBytes, PieceStream::Load load) {
    if (!key_.isStreamed()) return;
    char *first = context.arena.template take<char>(slotBytes), *second = context.arena.template take<char>(slotBytes);
    stream_ = std::make_unique<PieceStream>(gpu_, first, second, count(), std::move(load));
  }
  const char *nextSlot() { return stream_->next(); }
  // Before the subclass's members go.
  void stop() { stream_.reset(); }

  // Points first ... last - 1 of a query, checked, to `place`.
  template <class F>
  void loadPoints(cuzk_query query, uint64_t first, uint64_t last, char *place, cudaStream_t stream) const {
    key_.hostPoints(query).forEach(first, last, [&](const HostSource &source, uint64_t from, uint64_t count) {
      auto *points = reinterpret_cast<Affine<F> *>(place) + (from - first);
      gpu_.ring.copy(host_.pool, source, points, count * sizeof(Affine<F>), stream, Content::PUBLIC, host_.cancelled);
      checkPoints(stream, key_.badPoint(), key_.encoding, points, count, Set::template coefficientB<F>(), from);
    });
  }

  Gpu &gpu_;
  const cuzk::Context &host_;
  const Key &key_;
  const uint64_t total_, chunk_;

 private:
  std::unique_ptr<PieceStream> stream_;
};

// Of the queries that the witness multiplies: A, B1, B2 and L of as many variables.
template <class Set>
class WitnessChunks : public ChunkSource<Set> {
 public:
  using Base = ChunkSource<Set>;
  using Fp = typename Set::Fp;
  using Fp2 = typename Set::Fp2;

  // Tables by the index in the chunk.
  struct Points {
    uint64_t first;
    uint32_t count;
    PointTable<Fp> a, b1, l;
    PointTable<Fp2> b2;
  };

  WitnessChunks(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key)
      : Base(gpu, host, key, key.shape.variables) {
    Base::start(context, needs::pointSlotBytes<typename Set::Host>(key.shape, key.plan),
                [this](size_t chunk, char *slot, cudaStream_t stream) { load(layout(chunk), slot, stream); });
  }
  ~WitnessChunks() { Base::stop(); }

  Points next(size_t chunk) {
    const uint64_t first = Base::first(chunk);
    const auto start = static_cast<uint32_t>(first), count = static_cast<uint32_t>(Base::last(chunk) - first);
    if (!key_.isStreamed()) {
      return {first,
              count,
              shifted(key_.a(), start),
              shifted(key_.b1(), start),
              shifted(key_.l(), start),
              shifted(key_.b2(), start)};
    }
    const Layout places = layout(chunk);
    const char *slot = Base::nextSlot();
    const uint32_t publics = key_.shape.public_inputs + 1;
    const uint32_t *positionsB = positions(slot, places, CUZK_QUERY_B1);
    return {first,
            count,
            {points<Fp>(slot, places, CUZK_QUERY_A), positions(slot, places, CUZK_QUERY_A), 0},
            {points<Fp>(slot, places, CUZK_QUERY_B1), positionsB, 0},
            {points<Fp>(slot, places, CUZK_QUERY_L) + places.ranges[CUZK_QUERY_L].first, nullptr,
             first < publics ? publics - start : 0},
            {points<Fp2>(slot, places, CUZK_QUERY_B2), positionsB, 0}};
  }

 private:
  using Base::host_;
  using Base::key_;

  static constexpr cuzk_query QUERIES[4] = {CUZK_QUERY_A, CUZK_QUERY_B1, CUZK_QUERY_B2, CUZK_QUERY_L};

  struct Range {
    uint64_t first, last;
  };
  struct Layout {
    uint64_t firstVariable, variables;
    Range ranges[CUZK_QUERIES];
    size_t places[CUZK_QUERIES];
    size_t positionsA, positionsB;
  };

  Layout layout(size_t chunk) const {
    Layout result{};
    result.firstVariable = Base::first(chunk);
    result.variables = Base::last(chunk) - Base::first(chunk);
    size_t place = 0;
    for (cuzk_query query : QUERIES) {
      result.ranges[query] = {pointsBefore(query, Base::first(chunk)), pointsBefore(query, Base::last(chunk))};
      result.places[query] = place;
      place += Arena::rounded((result.ranges[query].last - result.ranges[query].first) * pointBytes(query));
    }
    result.positionsA = place;
    if (key_.hostPositions(CUZK_QUERY_A).size() > 0) place += Arena::rounded(result.variables * sizeof(uint32_t));
    result.positionsB = place;
    return result;
  }
  static size_t pointBytes(cuzk_query query) {
    return query == CUZK_QUERY_B2 ? sizeof(Affine<Fp2>) : sizeof(Affine<Fp>);
  }

  // Points of a query that belong to variables below this one.
  uint64_t pointsBefore(cuzk_query query, uint64_t variable) const {
    const uint64_t publics = uint64_t{key_.shape.public_inputs} + 1;
    if (query == CUZK_QUERY_L) return variable < publics ? 0 : variable - publics;
    const Array<uint32_t> &positions = key_.hostPositions(query);
    if (positions.size() == 0) return variable;
    for (uint64_t i = variable; i < positions.size(); i++) {
      if (positions[i] != DeviceKey<Set>::ABSENT) return positions[i];
    }
    return key_.shape.counts[query];
  }

  void load(const Layout &layout, char *slot, cudaStream_t stream) const {
    for (cuzk_query query : QUERIES) {
      const Range range = layout.ranges[query];
      if (query == CUZK_QUERY_B2) {
        Base::template loadPoints<Fp2>(query, range.first, range.last, slot + layout.places[query], stream);
      } else {
        Base::template loadPoints<Fp>(query, range.first, range.last, slot + layout.places[query], stream);
      }
    }
    loadPositions(CUZK_QUERY_A, layout, slot + layout.positionsA, stream);
    loadPositions(CUZK_QUERY_B1, layout, slot + layout.positionsB, stream);
  }
  void loadPositions(cuzk_query query, const Layout &layout, char *place, cudaStream_t stream) const {
    const Array<uint32_t> &positions = key_.hostPositions(query);
    if (positions.size() == 0) return;
    Base::gpu_.ring.copy(host_.pool, HostSource(positions.data() + layout.firstVariable), place,
                         layout.variables * sizeof(uint32_t), stream, Content::PUBLIC, host_.cancelled);
  }

  // Such that the position of a point in its query finds it.
  template <class F>
  const Affine<F> *points(const char *slot, const Layout &layout, cuzk_query query) const {
    const uint64_t first = layout.ranges[query].first;
    const bool direct = query != CUZK_QUERY_L && key_.hostPositions(query).size() == 0;
    return reinterpret_cast<const Affine<F> *>(slot + layout.places[query]) - (direct ? 0 : first);
  }
  const uint32_t *positions(const char *slot, const Layout &layout, cuzk_query query) const {
    if (key_.hostPositions(query).size() == 0) return nullptr;
    return reinterpret_cast<const uint32_t *>(slot + (query == CUZK_QUERY_A ? layout.positionsA : layout.positionsB));
  }
};

// Of H.
template <class Set>
class QuotientChunks : public ChunkSource<Set> {
 public:
  using Base = ChunkSource<Set>;
  using Fp = typename Set::Fp;

  struct Points {
    uint64_t first;
    uint32_t count;
    PointTable<Fp> h;
  };

  QuotientChunks(Gpu &gpu, const cuzk::Context &host, Context &context, const DeviceKey<Set> &key)
      : Base(gpu, host, key, key.shape.counts[CUZK_QUERY_H]) {
    Base::start(context, needs::pointSlotBytes<typename Set::Host>(key.shape, key.plan),
                [this](size_t chunk, char *slot, cudaStream_t stream) {
                  Base::template loadPoints<Fp>(CUZK_QUERY_H, Base::first(chunk), Base::last(chunk), slot, stream);
                });
  }
  ~QuotientChunks() { Base::stop(); }

  Points next(size_t chunk) {
    const uint64_t first = Base::first(chunk);
    const auto count = static_cast<uint32_t>(Base::last(chunk) - first);
    if (!Base::key_.isStreamed()) return {first, count, shifted(Base::key_.h(), static_cast<uint32_t>(first))};
    return {first, count, {reinterpret_cast<const Affine<Fp> *>(Base::nextSlot())}};
  }
};

}  // namespace cuzk::gpu
