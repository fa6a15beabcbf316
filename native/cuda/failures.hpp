// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "cpu/failure.hpp"

namespace cuzk::gpu {

// What a CUDA error means to the caller. Errors that CUDA documents as leaving the process's context unusable are
// CUZK_DEVICE_LOST.
inline cuzk_status statusOf(cudaError_t error) {
  switch (error) {
    case cudaErrorMemoryAllocation:
      return CUZK_OUT_OF_DEVICE_MEMORY;
    case cudaErrorNoDevice:
    case cudaErrorInvalidDevice:
    case cudaErrorDevicesUnavailable:
    case cudaErrorDeviceNotLicensed:
    case cudaErrorInitializationError:
      return CUZK_NO_DEVICE;
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
    case cudaErrorJitCompilationDisabled:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
    case cudaErrorSystemNotReady:
      return CUZK_UNSUPPORTED_DEVICE;
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorHardwareStackError:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorCudartUnloading:
    case cudaErrorUnknown:
      return CUZK_DEVICE_LOST;
    default:
      return CUZK_INTERNAL;
  }
}

// Throws unless the status is success. `detail`: what the status that comes of it wants, for example bytes.
inline void check(cudaError_t error, const char *what, uint64_t detail = 0) {
  if (error == cudaSuccess) return;
  (void)cudaGetLastError();  // an error that is not sticky must not be found again by the next launch
  throw Failure(statusOf(error), std::string(what) + ": " + cudaGetErrorString(error), detail,
                static_cast<int32_t>(error));
}
// After every launch: the launch's own error, not those of kernels still running.
inline void checkLaunch(const char *what) {
  check(cudaGetLastError(), what);
}

}  // namespace cuzk::gpu
