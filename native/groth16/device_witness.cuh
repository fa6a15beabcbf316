// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cuda/gpu.hpp"
#include "curve/device_points.cuh"
#include "groth16/packed_witness.hpp"

namespace cuzk::gpu {

// values[i] of a witness whose zeros and ones are bits; see cuzk.h.
template <class Fr>
__global__ void __launch_bounds__(BLOCK) expandWitness(PackedWitness packed, Fr *values) {
  const uint64_t i = uint64_t(blockIdx.x) * BLOCK + threadIdx.x;
  if (i >= packed.variables) return;
  const uint64_t block = i / PackedWitness::BLOCK_SIZE, bit = i % PackedWitness::BLOCK_SIZE;
  const uint64_t others = packed.others[block];
  Fr value = Fr::zero();
  if (others >> bit & 1) {
    const uint64_t before = packed.firsts[block] + __popcll(others & ((uint64_t{1} << bit) - 1));
    if (before < packed.count) value = loadWide(reinterpret_cast<const Fr *>(packed.scalars) + before);
  } else {
    value.limb[0] = packed.ones[block] >> bit & 1;
  }
  storeWide(values + i, value);
}

// Brings a witness to the device as canonical scalars and checks them. Returns the bytes that were uploaded.
template <class Fr>
uint64_t uploadWitness(Gpu &gpu, const cuzk::Context &host, Context &context, const cuzk_proof_request &request,
                       uint64_t variables, Fr *values) {
  uint64_t bytes = sizeof(Fr) * variables;
  if (request.form == CUZK_WITNESS_PACKED) {
    PackedWitness packed = PackedWitness::of(request.witness, variables);
    bytes = packed.bytes();
    Arena::Scope scope(context.arena);
    uint8_t *memory = context.arena.take<uint8_t>(bytes);
    gpu.upload(host.pool, memory, request.witness, bytes, context.stream, Content::SECRET, host.cancelled);
    expandWitness<<<blocks(variables), BLOCK, 0, context.stream>>>(packed.at(memory), values);
    checkLaunch("expandWitness");
  } else {
    gpu.upload(host.pool, values, request.witness, bytes, context.stream, Content::SECRET, host.cancelled);
  }
  requireScalars(context, values, variables);
  return bytes;
}

}  // namespace cuzk::gpu
