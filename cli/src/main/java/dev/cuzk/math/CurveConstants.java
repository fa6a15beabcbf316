package dev.cuzk.math;

/**
 * Hexadecimal constants of the curves: the generator of G1 (x, y), that of G2 (x.c0, x.c1, y.c0,
 * y.c1), ξ^((p − 1) / 6) (c0, c1), and the cube root of unity beta in Fp. CurveTest derives each
 * again from its definition.
 */
final class CurveConstants {
  private CurveConstants() {}

  static final String[] BN254 = {
    "1",
    "2",
    "1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed",
    "198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2",
    "12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa",
    "090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b",
    "1284b71c2865a7dfe8b99fdd76e68b605c521e08292f2176d60b35dadcc9e470",
    "246996f3b4fae7e6a6327cfe12150b8e747992778eeec7e5ca5cf05f80f362ac",
    "30644e72e131a0295e6dd9e7e0acccb0c28f069fbb966e3de4bd44e5607cfd48",
  };

  static final String[] BLS12_381 = {
    "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905"
        + "a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af6"
        + "00db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1",
    "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02"
        + "b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8",
    "13e02b6052719f607dacd3a088274f65596bd0d09920b61a"
        + "b5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e",
    "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a7"
        + "6d429a695160d12c923ac9cc3baca289e193548608b82801",
    "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af"
        + "267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be",
    "1904d3bf02bb0667c231beb4202c0d1f0fd603fd3cbd5f4f"
        + "7b2443d784bab9c4f67ea53d63e7813d8d0775ed92235fb8",
    "00fc3e2b36c4e03288e9e902231f9fb854a14787b6c7b36f"
        + "ec0c8ec971f63c5f282d5ac14d6c7ec22cf78a126ddc4af3",
    "5f19672fdf76ce51ba69c6076a0f77eaddb3a93be6f89688" + "de17d813620a00022e01fffffffefffe",
  };
}
