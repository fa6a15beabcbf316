// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

namespace cuzk {

// The kind of vector that an arithmetic has kernels for, if any: its member type Vector.
template <class A, class = void>
struct VectorOf {
  static constexpr bool PRESENT = false;
  using Type = void;
};
template <class A>
struct VectorOf<A, std::void_t<typename A::Vector>> {
  static constexpr bool PRESENT = true;
  using Type = typename A::Vector;
};

}  // namespace cuzk
