#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes constants.hpp: every number the native code needs about BN254 and BLS12-381.

usage: generate_constants.py [OUTPUT]      (default: constants.hpp beside this file)
       generate_constants.py --check FILE  (exit 1 if FILE is not what would be written)

Inputs are the curves' parameters, their moduli, equations and standard generators; all else is derived here and the
derivations are asserted.
"""
import os
import sys

BN_X = 4965661367192848881
BLS_X = -0xD201000000010000

CURVES = {
    "Bn254": dict(
        p=36 * BN_X**4 + 36 * BN_X**3 + 24 * BN_X**2 + 6 * BN_X + 1,
        r=36 * BN_X**4 + 36 * BN_X**3 + 18 * BN_X**2 + 6 * BN_X + 1,
        b=3,
        # 3 / (9 + u): the D-type twist of EIP-197.
        b2=lambda p: mul2((3, 0), inv2((9, 1), p), p),
        g1=(1, 2),
        g2=((10857046999023057135944570762232829481370756359578518086990519993285655852781,
             11559732032986387107991004021392285783925812861821192530917403151452391805634),
            (8495653923123431417604973247489272438418190587263600148770280649306958101930,
             4082367875863433681332203403145435568316851327593401208105741076214120093531)),
    ),
    "Bls12381": dict(
        p=(BLS_X - 1) ** 2 * (BLS_X**4 - BLS_X**2 + 1) // 3 + BLS_X,
        r=BLS_X**4 - BLS_X**2 + 1,
        b=4,
        b2=lambda p: (4, 4),
        g1=(0x17F1D3A73197D7942695638C4FA9AC0FC3688C4F9774B905A14E3A3F171BAC586C55E83FF97A1AEFFB3AF00ADB22C6BB,
            0x08B3F481E3AAA0F1A09E30ED741D8AE4FCF5E095D5D00AF600DB18CB2C04B3EDD03CC744A2888AE40CAA232946C5E7E1),
        g2=((0x024AA2B2F08F0A91260805272DC51051C6E47AD4FA403B02B4510B647AE3D1770BAC0326A805BBEFD48056C8C121BDB8,
             0x13E02B6052719F607DACD3A088274F65596BD0D09920B61AB5DA61BBDC7F5049334CF11213945D57E5AC7D055D042B7E),
            (0x0CE5D527727D6E118CC9CDC6DA2E351AADFD9BAA8CBDD3A76D429A695160D12C923AC9CC3BACA289E193548608B82801,
             0x0606C4A02EA734CC32ACD2B02BC28B99CB3E287E85A763AF267492AB572E99AB3F370D275CEC1DA1AAA9075FF05F79BE)),
    ),
}


def mul2(a, b, p):
    return ((a[0] * b[0] - a[1] * b[1]) % p, (a[0] * b[1] + a[1] * b[0]) % p)


def inv2(a, p):
    norm = pow(a[0] * a[0] + a[1] * a[1], -1, p)
    return (a[0] * norm % p, -a[1] * norm % p)


def limbs(value, count):
    words = [(value >> (64 * i)) & (2**64 - 1) for i in range(count)]
    return "{" + ", ".join("0x%016xull" % w for w in words) + "}"


class Writer:
    def __init__(self):
        self.lines = []

    def __call__(self, text=""):
        self.lines.append(text)

    def array(self, comment, name, value, count):
        if comment:
            self("  // " + comment)
        text = "  static constexpr uint64_t %s[%d] = %s;" % (name, count, limbs(value, count))
        if len(text) > 120:
            head, tail = text.split(" = ")
            words = tail.strip("{};").split(", ")
            indent = " " * (len(head) + 4)
            text = head + " = {" + ", ".join(words[: len(words) // 2]) + ",\n"
            if len(text) > 121:
                text = head + " = {\n      " + ", ".join(words[:4]) + ",\n      " + ", ".join(words[4:]) + "};"
            else:
                text += indent + ", ".join(words[len(words) // 2 :]) + "};"
        self(text)


def field(out, name, p, comment):
    count = 4 if p.bit_length() <= 256 else 6
    radix = 2 ** (64 * count)
    assert p >> (64 * (count - 1)) < 2**63 - 1, "the multiplication drops a carry that this bound rules out"
    out("// " + comment)
    out("struct %s {" % name)
    out("  static constexpr unsigned LIMBS = %d;" % count)
    out("  static constexpr unsigned BITS = %d;" % p.bit_length())
    out.array("the modulus", "MODULUS", p, count)
    out.array("R mod p with R = 2^%d: one in Montgomery form" % (64 * count), "R", radix % p, count)
    out.array("R^2 mod p", "R2", radix * radix % p, count)
    out("  // -p^-1 mod 2^64")
    out("  static constexpr uint64_t NEGATIVE_INVERSE = 0x%016xull;" % (-pow(p, -1, 2**64) % 2**64))
    rounds = (2 * p.bit_length() - 1 + 30) // 31
    out.array("2^(33 * %d) R^3 mod p: completes the inversion of a Montgomery form (inversion.hpp)" % rounds,
              "INVERSION_FACTOR", pow(2, 33 * rounds, p) * radix**3 % p, count)
    out("};")
    out()


def scalar_constants(out, r):
    radix = 2**256
    adicity = ((r - 1) & -(r - 1)).bit_length() - 1
    odd = (r - 1) >> adicity
    nonresidue = 2
    while pow(nonresidue, (r - 1) // 2, r) == 1:
        nonresidue += 1
    iden3 = pow(nonresidue, odd, r)
    bellman = pow(7, odd, r)
    for root in (iden3, bellman):
        assert pow(root, 2 ** (adicity - 1), r) == r - 1
    out("  // 2^TWO_ADICITY divides r - 1")
    out("  static constexpr unsigned TWO_ADICITY = %d;" % adicity)
    out.array("%d^((r-1)/2^%d), Montgomery form; %d is the smallest non-residue (iden3's ffjavascript)"
              % (nonresidue, adicity, nonresidue), "ROOT_ODD_COSET", iden3 * radix % r, 4)
    out.array("7^((r-1)/2^%d), Montgomery form (bellman)" % adicity, "ROOT_MONOMIAL", bellman * radix % r, 4)
    out.array("7, Montgomery form: bellman's coset generator", "COSET_GENERATOR", 7 * radix % r, 4)


def curve(out, name, c):
    p, r = c["p"], c["r"]
    count = 4 if p.bit_length() <= 256 else 6
    radix = 2 ** (64 * count)
    b2 = c["b2"](p)
    (x, y) = c["g1"]
    assert (y * y - x**3 - c["b"]) % p == 0
    x2, y2 = c["g2"]
    right = mul2(mul2(x2, x2, p), x2, p)
    assert mul2(y2, y2, p) == ((right[0] + b2[0]) % p, (right[1] + b2[1]) % p)
    out("// y^2 = x^3 + b over Fp, and its twist over Fp2 = Fp[u]/(u^2 + 1). Coordinates in Montgomery form.")
    out("struct %sConstants {" % name)
    scalar_constants(out, r)
    for label, value in (("B", c["b"]), ("B2_C0", b2[0]), ("B2_C1", b2[1])):
        out.array("", label, value * radix % p, count)
    out("  // the usual generators of G1 and G2")
    for label, value in (("G1_X", x), ("G1_Y", y), ("G2_X_C0", x2[0]), ("G2_X_C1", x2[1]), ("G2_Y_C0", y2[0]),
                         ("G2_Y_C1", y2[1])):
        out.array("", label, value * radix % p, count)
    out("};")
    out()


def generate():
    out = Writer()
    out("// SPDX-License-Identifier: Apache-2.0")
    out("// Written by generate_constants.py; change that file, not this one. Limbs are little-endian 64-bit words.")
    out("// clang-format off")
    out("#pragma once")
    out()
    out("#include <cstdint>")
    out()
    out("namespace cuzk {")
    out()
    for name, c in CURVES.items():
        field(out, name + "FrParameters", c["r"], "%s: the scalar field" % name)
        field(out, name + "FpParameters", c["p"], "%s: the base field" % name)
        curve(out, name, c)
    out("}  // namespace cuzk")
    return "\n".join(out.lines) + "\n"


def main(arguments):
    if arguments[:1] == ["--check"]:
        with open(arguments[1], encoding="utf-8") as file:
            return 0 if file.read() == generate() else "%s differs from what generate_constants.py writes" % arguments[1]
    default = os.path.join(os.path.dirname(os.path.abspath(__file__)), "constants.hpp")
    with open(arguments[0] if arguments else default, "w", encoding="utf-8") as file:
        file.write(generate())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
