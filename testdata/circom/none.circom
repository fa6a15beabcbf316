pragma circom 2.0.0;

// No input at all: the program runs when it is initialised.
template None() {
  signal output answer;
  signal square;
  answer <== 42;
  square <== answer * answer;
}

component main = None();
