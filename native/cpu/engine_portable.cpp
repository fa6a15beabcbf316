// SPDX-License-Identifier: Apache-2.0
#include "cpu/engine_of.hpp"

namespace cuzk {

const Engines PORTABLE_ENGINES = {Portable::NAME, Portable::supported, engineOf<Portable>};

}  // namespace cuzk
