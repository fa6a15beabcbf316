pragma circom 2.2.0;

bus Point() {
  signal x;
  signal y[2];
}

template Buses() {
  input Point() one;
  input Point() many[2];
  signal output product;
  product <== one.x * (many[0].y[1] + many[1].x);
}

component main = Buses();
