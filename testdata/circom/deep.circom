pragma circom 2.0.0;

// Recursion as deep as the input says.
function count(n) {
  if (n == 0) {
    return 0;
  }
  return 1 + count(n - 1);
}

template Deep() {
  signal input depth;
  signal output counted;
  signal square;
  counted <-- count(depth);
  square <== depth * depth;
}

component main = Deep();
