package dev.cuzk.math;

/** A square matrix over a field of four words, elements in Montgomery form, row by row. */
final class SquareMatrix {
  private static final int WORDS = 4;

  private final Field field;
  private final int size;
  private final long[] words;

  /** All zero. */
  SquareMatrix(Field field, int size) {
    this.field = field;
    this.size = size;
    this.words = new long[size * size * WORDS];
  }

  /** The elements themselves, not a copy. */
  long[] words() {
    return words;
  }

  int offset(int row, int column) {
    return (row * size + column) * WORDS;
  }

  SquareMatrix times(SquareMatrix right) {
    SquareMatrix product = new SquareMatrix(field, size);
    for (int row = 0; row < size; row++) {
      right.applyToRow(product.words, offset(row, 0), words, offset(row, 0));
    }
    return product;
  }

  /** z = v · this for a row vector v; z must not be v. */
  void applyToRow(long[] z, int zAt, long[] v, int at) {
    for (int column = 0; column < size; column++) {
      dot(z, zAt + column * WORDS, v, at, offset(0, column), size * WORDS);
    }
  }

  /** z = this · v for a column vector v; z must not be v. */
  void applyToColumn(long[] z, int zAt, long[] v, int at) {
    for (int row = 0; row < size; row++) {
      dot(z, zAt + row * WORDS, v, at, offset(row, 0), WORDS);
    }
  }

  private void dot(long[] z, int zAt, long[] v, int at, int first, int stride) {
    long[] product = new long[WORDS];
    field.setZero(z, zAt);
    for (int i = 0; i < size; i++) {
      field.multiply(product, 0, v, at + i * WORDS, words, first + i * stride);
      field.add(z, zAt, z, zAt, product, 0);
    }
  }

  /** Without the first row and the first column. */
  SquareMatrix withoutFirst() {
    SquareMatrix minor = new SquareMatrix(field, size - 1);
    for (int row = 1; row < size; row++) {
      System.arraycopy(
          words, offset(row, 1), minor.words, minor.offset(row - 1, 0), (size - 1) * WORDS);
    }
    return minor;
  }

  /** With a first row and a first column of the identity before it. */
  SquareMatrix withFirst() {
    SquareMatrix larger = new SquareMatrix(field, size + 1);
    field.setOne(larger.words, 0);
    for (int row = 0; row < size; row++) {
      System.arraycopy(
          words, offset(row, 0), larger.words, larger.offset(row + 1, 1), size * WORDS);
    }
    return larger;
  }

  /**
   * By Gauss and Jordan.
   *
   * @throws ArithmeticException if there is none
   */
  SquareMatrix inverse() {
    SquareMatrix rest = new SquareMatrix(field, size);
    System.arraycopy(words, 0, rest.words, 0, words.length);
    SquareMatrix result = new SquareMatrix(field, size);
    for (int i = 0; i < size; i++) {
      field.setOne(result.words, result.offset(i, i));
    }
    long[] factor = new long[WORDS];
    for (int pivot = 0; pivot < size; pivot++) {
      rest.bringUp(pivot, result);
      field.inverse(factor, 0, rest.words, offset(pivot, pivot));
      rest.scale(pivot, factor);
      result.scale(pivot, factor);
      for (int row = 0; row < size; row++) {
        if (row != pivot) {
          field.copy(factor, 0, rest.words, offset(row, pivot));
          rest.subtract(row, pivot, factor);
          result.subtract(row, pivot, factor);
        }
      }
    }
    return result;
  }

  /** Swaps rows, here and in a companion, so that the element on the diagonal is not zero. */
  private void bringUp(int pivot, SquareMatrix companion) {
    int row = pivot;
    while (field.isZero(words, offset(row, pivot))) {
      row++;
      if (row == size) {
        throw new ArithmeticException("the matrix has no inverse");
      }
    }
    swap(row, pivot);
    companion.swap(row, pivot);
  }

  private void swap(int a, int b) {
    for (int i = 0; i < size * WORDS; i++) {
      long kept = words[offset(a, 0) + i];
      words[offset(a, 0) + i] = words[offset(b, 0) + i];
      words[offset(b, 0) + i] = kept;
    }
  }

  private void scale(int row, long[] factor) {
    for (int column = 0; column < size; column++) {
      field.multiply(words, offset(row, column), words, offset(row, column), factor, 0);
    }
  }

  private void subtract(int row, int other, long[] factor) {
    long[] product = new long[WORDS];
    for (int column = 0; column < size; column++) {
      field.multiply(product, 0, words, offset(other, column), factor, 0);
      field.subtract(words, offset(row, column), words, offset(row, column), product, 0);
    }
  }
}
