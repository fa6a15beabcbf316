package dev.cuzk.device;

/** Stages of a proof inside a device; ordinals and names equal {@code cuzk_stage} in cuzk.h. */
public enum Stage {
  UPLOAD("upload"),
  SPARSE_PRODUCT("sparse_product"),
  NTT("ntt"),
  DIGITS("digits"),
  MSM_A("msm_a"),
  MSM_B1("msm_b1"),
  MSM_B2("msm_b2"),
  MSM_L("msm_l"),
  MSM_H("msm_h"),
  DOWNLOAD("download"),
  FINISH("finish");

  private final String stableName;

  Stage(String stableName) {
    this.stableName = stableName;
  }

  /** Whether the device's processors work in it; in the others data is moved or the host works. */
  public boolean computes() {
    return this != UPLOAD && this != DOWNLOAD && this != FINISH;
  }

  /** The name in reports, timelines and NVTX ranges. */
  public String stableName() {
    return stableName;
  }
}
