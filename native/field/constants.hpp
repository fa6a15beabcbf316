// SPDX-License-Identifier: Apache-2.0
// Written by generate_constants.py; change that file, not this one. Limbs are little-endian 64-bit words.
// clang-format off
#pragma once

#include <cstdint>

namespace cuzk {

// Bn254: the scalar field
struct Bn254FrParameters {
  static constexpr unsigned LIMBS = 4;
  static constexpr unsigned BITS = 254;
  // the modulus
  static constexpr uint64_t MODULUS[4] = {0x43e1f593f0000001ull, 0x2833e84879b97091ull,
                                          0xb85045b68181585dull, 0x30644e72e131a029ull};
  // R mod p with R = 2^256: one in Montgomery form
  static constexpr uint64_t R[4] = {0xac96341c4ffffffbull, 0x36fc76959f60cd29ull,
                                    0x666ea36f7879462eull, 0x0e0a77c19a07df2full};
  // R^2 mod p
  static constexpr uint64_t R2[4] = {0x1bb8e645ae216da7ull, 0x53fe3ab1e35c59e3ull,
                                     0x8c49833d53bb8085ull, 0x0216d0b17f4e44a5ull};
  // -p^-1 mod 2^64
  static constexpr uint64_t NEGATIVE_INVERSE = 0xc2e1f593efffffffull;
  // 2^(33 * 17) R^3 mod p: completes the inversion of a Montgomery form (inversion.hpp)
  static constexpr uint64_t INVERSION_FACTOR[4] = {0x452c301a04780fbdull, 0xea4846e498ef8cdeull,
                                                   0xcea4afdd7898767cull, 0x21c8f78a0b220863ull};
};

// Bn254: the base field
struct Bn254FpParameters {
  static constexpr unsigned LIMBS = 4;
  static constexpr unsigned BITS = 254;
  // the modulus
  static constexpr uint64_t MODULUS[4] = {0x3c208c16d87cfd47ull, 0x97816a916871ca8dull,
                                          0xb85045b68181585dull, 0x30644e72e131a029ull};
  // R mod p with R = 2^256: one in Montgomery form
  static constexpr uint64_t R[4] = {0xd35d438dc58f0d9dull, 0x0a78eb28f5c70b3dull,
                                    0x666ea36f7879462cull, 0x0e0a77c19a07df2full};
  // R^2 mod p
  static constexpr uint64_t R2[4] = {0xf32cfc5b538afa89ull, 0xb5e71911d44501fbull,
                                     0x47ab1eff0a417ff6ull, 0x06d89f71cab8351full};
  // -p^-1 mod 2^64
  static constexpr uint64_t NEGATIVE_INVERSE = 0x87d20782e4866389ull;
  // 2^(33 * 17) R^3 mod p: completes the inversion of a Montgomery form (inversion.hpp)
  static constexpr uint64_t INVERSION_FACTOR[4] = {0xd330b3617404f53cull, 0x5f12aa9fd96887c1ull,
                                                   0xe7820241e67f0488ull, 0x2029e539ef58b497ull};
};

// y^2 = x^3 + b over Fp, and its twist over Fp2 = Fp[u]/(u^2 + 1). Coordinates in Montgomery form.
struct Bn254Constants {
  // 2^TWO_ADICITY divides r - 1
  static constexpr unsigned TWO_ADICITY = 28;
  // 5^((r-1)/2^28), Montgomery form; 5 is the smallest non-residue (iden3's ffjavascript)
  static constexpr uint64_t ROOT_ODD_COSET[4] = {0x636e735580d13d9cull, 0xa22bf3742445ffd6ull,
                                                 0x56452ac01eb203d8ull, 0x1860ef942963f9e7ull};
  // 7^((r-1)/2^28), Montgomery form (bellman)
  static constexpr uint64_t ROOT_MONOMIAL[4] = {0x9632c7c5b639feb8ull, 0x985ce3400d0ff299ull,
                                                0xb2dd880001b0ecd8ull, 0x1d69070d6d98ce29ull};
  // 7, Montgomery form: bellman's coset generator
  static constexpr uint64_t COSET_GENERATOR[4] = {0x3057819e4fffffdbull, 0x307f6d866832bb01ull,
                                                  0x5c65ec9f484e3a89ull, 0x0180a96573d3d9f8ull};
  static constexpr uint64_t B[4] = {0x7a17caa950ad28d7ull, 0x1f6ac17ae15521b9ull,
                                    0x334bea4e696bd284ull, 0x2a1f6744ce179d8eull};
  static constexpr uint64_t B2_C0[4] = {0x3bf938e377b802a8ull, 0x020b1b273633535dull,
                                        0x26b7edf049755260ull, 0x2514c6324384a86dull};
  static constexpr uint64_t B2_C1[4] = {0x38e7ecccd1dcff67ull, 0x65f0b37d93ce0d3eull,
                                        0xd749d0dd22ac00aaull, 0x0141b9ce4a688d4dull};
  // the usual generators of G1 and G2
  static constexpr uint64_t G1_X[4] = {0xd35d438dc58f0d9dull, 0x0a78eb28f5c70b3dull,
                                       0x666ea36f7879462cull, 0x0e0a77c19a07df2full};
  static constexpr uint64_t G1_Y[4] = {0xa6ba871b8b1e1b3aull, 0x14f1d651eb8e167bull,
                                       0xccdd46def0f28c58ull, 0x1c14ef83340fbe5eull};
  static constexpr uint64_t G2_X_C0[4] = {0x8e83b5d102bc2026ull, 0xdceb1935497b0172ull,
                                          0xfbb8264797811adfull, 0x19573841af96503bull};
  static constexpr uint64_t G2_X_C1[4] = {0xafb4737da84c6140ull, 0x6043dd5a5802d8c4ull,
                                          0x09e950fc52a02f86ull, 0x14fef0833aea7b6bull};
  static constexpr uint64_t G2_Y_C0[4] = {0x619dfa9d886be9f6ull, 0xfe7fd297f59e9b78ull,
                                          0xff9e1a62231b7dfeull, 0x28fd7eebae9e4206ull};
  static constexpr uint64_t G2_Y_C1[4] = {0x64095b56c71856eeull, 0xdc57f922327d3cbbull,
                                          0x55f935be33351076ull, 0x0da4a0e693fd6482ull};
};

// Bls12381: the scalar field
struct Bls12381FrParameters {
  static constexpr unsigned LIMBS = 4;
  static constexpr unsigned BITS = 255;
  // the modulus
  static constexpr uint64_t MODULUS[4] = {0xffffffff00000001ull, 0x53bda402fffe5bfeull,
                                          0x3339d80809a1d805ull, 0x73eda753299d7d48ull};
  // R mod p with R = 2^256: one in Montgomery form
  static constexpr uint64_t R[4] = {0x00000001fffffffeull, 0x5884b7fa00034802ull,
                                    0x998c4fefecbc4ff5ull, 0x1824b159acc5056full};
  // R^2 mod p
  static constexpr uint64_t R2[4] = {0xc999e990f3f29c6dull, 0x2b6cedcb87925c23ull,
                                     0x05d314967254398full, 0x0748d9d99f59ff11ull};
  // -p^-1 mod 2^64
  static constexpr uint64_t NEGATIVE_INVERSE = 0xfffffffeffffffffull;
  // 2^(33 * 17) R^3 mod p: completes the inversion of a Montgomery form (inversion.hpp)
  static constexpr uint64_t INVERSION_FACTOR[4] = {0x275eb1056dbe2321ull, 0x135715e87bc433dfull,
                                                   0x020bcd6794b0b06aull, 0x6f55e1da39d4538bull};
};

// Bls12381: the base field
struct Bls12381FpParameters {
  static constexpr unsigned LIMBS = 6;
  static constexpr unsigned BITS = 381;
  // the modulus
  static constexpr uint64_t MODULUS[6] = {0xb9feffffffffaaabull, 0x1eabfffeb153ffffull, 0x6730d2a0f6b0f624ull,
                                          0x64774b84f38512bfull, 0x4b1ba7b6434bacd7ull, 0x1a0111ea397fe69aull};
  // R mod p with R = 2^384: one in Montgomery form
  static constexpr uint64_t R[6] = {0x760900000002fffdull, 0xebf4000bc40c0002ull, 0x5f48985753c758baull,
                                    0x77ce585370525745ull, 0x5c071a97a256ec6dull, 0x15f65ec3fa80e493ull};
  // R^2 mod p
  static constexpr uint64_t R2[6] = {0xf4df1f341c341746ull, 0x0a76e6a609d104f1ull, 0x8de5476c4c95b6d5ull,
                                     0x67eb88a9939d83c0ull, 0x9a793e85b519952dull, 0x11988fe592cae3aaull};
  // -p^-1 mod 2^64
  static constexpr uint64_t NEGATIVE_INVERSE = 0x89f3fffcfffcfffdull;
  // 2^(33 * 25) R^3 mod p: completes the inversion of a Montgomery form (inversion.hpp)
  static constexpr uint64_t INVERSION_FACTOR[6] = {0xc75b87eae4c078aeull, 0x5a053a5001d63318ull, 0x7afc9aa5647bc96aull,
                                                   0x523ec3bd5b17b648ull, 0x5f8a543218152dc6ull, 0x03d6ad095ef691c4ull};
};

// y^2 = x^3 + b over Fp, and its twist over Fp2 = Fp[u]/(u^2 + 1). Coordinates in Montgomery form.
struct Bls12381Constants {
  // 2^TWO_ADICITY divides r - 1
  static constexpr unsigned TWO_ADICITY = 32;
  // 5^((r-1)/2^32), Montgomery form; 5 is the smallest non-residue (iden3's ffjavascript)
  static constexpr uint64_t ROOT_ODD_COSET[4] = {0x9cab6d5c0c17f47cull, 0x1ce1e93dfd4b71e5ull,
                                                 0x0d6db230471dd505ull, 0x3f0ee990743a3b6aull};
  // 7^((r-1)/2^32), Montgomery form (bellman)
  static constexpr uint64_t ROOT_MONOMIAL[4] = {0xb9b58d8c5f0e466aull, 0x5b1b4c801819d7ecull,
                                                0x0af53ae352a31e64ull, 0x5bf3adda19e9b27bull};
  // 7, Montgomery form: bellman's coset generator
  static constexpr uint64_t COSET_GENERATOR[4] = {0x0000000efffffff1ull, 0x17e363d300189c0full,
                                                  0xff9c57876f8457b0ull, 0x351332208fc5a8c4ull};
  static constexpr uint64_t B[6] = {0xaa270000000cfff3ull, 0x53cc0032fc34000aull, 0x478fe97a6b0a807full,
                                    0xb1d37ebee6ba24d7ull, 0x8ec9733bbf78ab2full, 0x09d645513d83de7eull};
  static constexpr uint64_t B2_C0[6] = {0xaa270000000cfff3ull, 0x53cc0032fc34000aull, 0x478fe97a6b0a807full,
                                        0xb1d37ebee6ba24d7ull, 0x8ec9733bbf78ab2full, 0x09d645513d83de7eull};
  static constexpr uint64_t B2_C1[6] = {0xaa270000000cfff3ull, 0x53cc0032fc34000aull, 0x478fe97a6b0a807full,
                                        0xb1d37ebee6ba24d7ull, 0x8ec9733bbf78ab2full, 0x09d645513d83de7eull};
  // the usual generators of G1 and G2
  static constexpr uint64_t G1_X[6] = {0x5cb38790fd530c16ull, 0x7817fc679976fff5ull, 0x154f95c7143ba1c1ull,
                                       0xf0ae6acdf3d0e747ull, 0xedce6ecc21dbf440ull, 0x120177419e0bfb75ull};
  static constexpr uint64_t G1_Y[6] = {0xbaac93d50ce72271ull, 0x8c22631a7918fd8eull, 0xdd595f13570725ceull,
                                       0x51ac582950405194ull, 0x0e1c8c3fad0059c0ull, 0x0bbc3efc5008a26aull};
  static constexpr uint64_t G2_X_C0[6] = {0xf5f28fa202940a10ull, 0xb3f5fb2687b4961aull, 0xa1a893b53e2ae580ull,
                                          0x9894999d1a3caee9ull, 0x6f67b7631863366bull, 0x058191924350bcd7ull};
  static constexpr uint64_t G2_X_C1[6] = {0xa5a9c0759e23f606ull, 0xaaa0c59dbccd60c3ull, 0x3bb17e18e2867806ull,
                                          0x1b1ab6cc8541b367ull, 0xc2b6ed0ef2158547ull, 0x11922a097360edf3ull};
  static constexpr uint64_t G2_Y_C0[6] = {0x4c730af860494c4aull, 0x597cfa1f5e369c5aull, 0xe7e6856caa0a635aull,
                                          0xbbefb5e96e0d495full, 0x07d3a975f0ef25a2ull, 0x0083fd8e7e80dae5ull};
  static constexpr uint64_t G2_Y_C1[6] = {0xadc0fc92df64b05dull, 0x18aa270a2b1461dcull, 0x86adac6a3be4eba0ull,
                                          0x79495c4ec93da33aull, 0xe7175850a43ccaedull, 0x0b2bc2a163de1bf2ull};
};

}  // namespace cuzk
