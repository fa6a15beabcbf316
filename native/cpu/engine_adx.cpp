// SPDX-License-Identifier: Apache-2.0
#include "cpu/engine_of.hpp"
#include "field/arithmetic_adx.hpp"

#if defined(__x86_64__)

namespace cuzk {

const Engines ADX_ENGINES = {Adx::NAME, Adx::supported, engineOf<Adx>};

}  // namespace cuzk

#endif
