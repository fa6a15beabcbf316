// SPDX-License-Identifier: Apache-2.0
#include "cpu/engine_of.hpp"
#include "lanes/ifma.hpp"

#if defined(__x86_64__)

namespace cuzk {

const Engines IFMA_ENGINES = {Ifma::NAME, Ifma::supported, engineOf<Ifma>};

}  // namespace cuzk

#endif
