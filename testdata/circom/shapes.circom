pragma circom 2.0.0;

// Inputs of several shapes, an assertion, a constraint that the input alone decides, and a signal
// that only one branch assigns: it must be zero in a witness that takes the other one, whatever
// witness was made before.
template Shapes() {
  signal input a;
  signal input table[2][3];
  signal input answer;
  signal output sum;
  signal output inverse;
  signal sometimes;

  assert(a != 13);
  var total = 0;
  for (var i = 0; i < 2; i++) {
    for (var j = 0; j < 3; j++) {
      total += table[i][j] * (3 * i + j + 1);
    }
  }
  sum <== total;
  if (a > 100) {
    sometimes <-- a;
  }
  inverse <-- a == 0 ? 0 : 1 / a;
  a * inverse === 1;
  answer === 42;
  log("secret", a);
}

component main {public [table]} = Shapes();
