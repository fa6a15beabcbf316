package dev.cuzk.format.filecoin;

import dev.cuzk.format.InputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * A tokenizer for JSON that is almost nothing but arrays of 32 numbers below 256, which a general
 * parser reads one token a number. Strings are keys and names: plain ASCII without escapes.
 *
 * <p>Reads a stream through one buffer; positions in messages are offsets in the stream.
 */
final class JsonBytes {
  private static final int BUFFER_BYTES = 1 << 17;

  /** The longest array of 32 numbers without blanks: {@code [255,…,255]}. */
  private static final int LONGEST_HASH = 2 + 32 * 4;

  private static final int LONGEST_STRING = 256;
  private static final int DEEPEST = 64;

  private final String file;
  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int at;
  private int limit;
  private long before;

  JsonBytes(String file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  /** Offset of the next character. */
  private long position() {
    return before + at;
  }

  InputException problem(String problem, Object expected, Object found) {
    return InputException.at(file, problem, "JSON offset " + position(), expected, found);
  }

  /** Makes as many of the wanted bytes available as the stream still has. */
  private void fill(int wanted) throws InputException {
    System.arraycopy(buffer, at, buffer, 0, limit - at);
    before += at;
    limit -= at;
    at = 0;
    try {
      while (limit < wanted) {
        int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0) {
          return;
        }
        limit += count;
      }
    } catch (IOException e) {
      if (e.getCause() instanceof InputException known) {
        throw known;
      }
      throw new InputException(file, "it cannot be read: " + e.getMessage(), e);
    }
  }

  /** The next character that is no blank, which stays; −1 at the end. */
  int peek() throws InputException {
    while (true) {
      if (at == limit) {
        fill(1);
        if (at == limit) {
          return -1;
        }
      }
      byte c = buffer[at];
      if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
        return c & 0xff;
      }
      at++;
    }
  }

  /** Takes the next character that is no blank, which must be this one. */
  void expect(char expected) throws InputException {
    int found = peek();
    if (found != expected) {
      throw problem("unexpected JSON", "\"" + expected + "\"", printable(found));
    }
    at++;
  }

  /** Takes the next character that is no blank if it is this one. */
  boolean take(char wanted) throws InputException {
    if (peek() != wanted) {
      return false;
    }
    at++;
    return true;
  }

  private static String printable(int c) {
    return c < 0 ? "the end" : c > ' ' && c < 127 ? "\"" + (char) c + "\"" : "byte " + c;
  }

  /** Whether the string that comes next is this one; if so, it is taken. */
  boolean takeString(byte[] wanted) throws InputException {
    peek();
    if (limit - at < wanted.length + 2) {
      fill(wanted.length + 2);
    }
    if (limit - at < wanted.length + 2
        || buffer[at] != '"'
        || buffer[at + wanted.length + 1] != '"') {
      return false;
    }
    for (int i = 0; i < wanted.length; i++) {
      if (buffer[at + 1 + i] != wanted[i]) {
        return false;
      }
    }
    at += wanted.length + 2;
    return true;
  }

  /** A string of at most 256 characters, none of them escaped. */
  String string() throws InputException {
    expect('"');
    if (limit - at < LONGEST_STRING) {
      fill(LONGEST_STRING);
    }
    for (int end = at; end < Math.min(limit, at + LONGEST_STRING); end++) {
      byte c = buffer[end];
      if (c == '"') {
        String text = new String(buffer, at, end - at, StandardCharsets.US_ASCII);
        at = end + 1;
        return text;
      }
      if (c == '\\' || c < ' ') {
        break;
      }
    }
    throw problem("a string is not plain", "a short name in quotes", "something else");
  }

  /** A number in [0, most]. */
  long number(String what, long most) throws InputException {
    peek();
    if (limit - at < 24) {
      fill(24);
    }
    int start = at;
    long value = 0;
    while (at < limit && buffer[at] >= '0' && buffer[at] <= '9') {
      int digit = buffer[at] - '0';
      if (value > (most - digit) / 10) {
        throw problem("a number is too large: " + what, "at most " + most, "more");
      }
      value = 10 * value + digit;
      at++;
    }
    if (at == start || buffer[start] == '0' && at > start + 1) {
      at = start;
      throw problem("not a number: " + what, "digits", printable(peek()));
    }
    return value;
  }

  /** An array of exactly 32 numbers below 256. */
  void hash(byte[] target, int offset) throws InputException {
    if (peek() == '[') {
      if (limit - at < LONGEST_HASH) {
        fill(LONGEST_HASH);
      }
      if (limit - at >= LONGEST_HASH && plainHash(target, offset)) {
        return;
      }
    }
    expect('[');
    for (int i = 0; i < MerkleProof.HASH_BYTES; i++) {
      if (i > 0) {
        expect(',');
      }
      target[offset + i] = (byte) number("a byte", 255);
    }
    expect(']');
  }

  /** An array without blanks, all of it in the buffer. */
  private boolean plainHash(byte[] target, int offset) {
    byte[] source = buffer;
    int next = at + 1;
    for (int i = 0; i < MerkleProof.HASH_BYTES; i++) {
      int first = source[next++] - '0';
      if (first < 0 || first > 9) {
        return false;
      }
      int value = first;
      int c = source[next++] - '0';
      if (c >= 0 && c <= 9) {
        value = 10 * value + c;
        c = source[next++] - '0';
        if (c >= 0 && c <= 9) {
          value = 10 * value + c;
          c = source[next++] - '0';
        }
        if (first == 0 || value > 255) {
          return false;
        }
      }
      if (c != (i == MerkleProof.HASH_BYTES - 1 ? ']' : ',') - '0') {
        return false;
      }
      target[offset + i] = (byte) value;
    }
    at = next;
    return true;
  }

  /** Decodes a string of standard base64, with padding, of any length. */
  void base64(OutputStream out) throws InputException, IOException {
    expect('"');
    byte[] pending = new byte[BUFFER_BYTES];
    int count = 0;
    boolean more = true;
    while (more) {
      if (at == limit) {
        fill(1);
        if (at == limit) {
          throw problem("a string does not end", "\"", "the end");
        }
      }
      int end = at;
      int most = Math.min(limit, at + pending.length - count);
      while (end < most && buffer[end] != '"' && buffer[end] != '\\') {
        end++;
      }
      System.arraycopy(buffer, at, pending, count, end - at);
      count += end - at;
      at = end;
      if (end < most) {
        more = buffer[at++] != '"';
        if (more && peek() != '/') {
          throw problem("a string is not base64", "standard base64 with padding", "an escape");
        }
      }
      if (count == pending.length || !more) {
        decode(pending, count, more, out);
        count = 0;
      }
    }
  }

  private void decode(byte[] text, int count, boolean more, OutputStream out)
      throws InputException, IOException {
    try {
      ByteBuffer bytes = Base64.getDecoder().decode(ByteBuffer.wrap(text, 0, count));
      if (more && bytes.remaining() != count / 4 * 3) {
        throw problem("the base64 is padded before its end", "no \"=\"", "\"=\"");
      }
      out.write(bytes.array(), 0, bytes.remaining());
    } catch (IllegalArgumentException e) {
      throw problem("a string is not base64", "standard base64 with padding", e.getMessage());
    }
  }

  /** Takes a value of any kind that nobody wants. */
  void skipValue(int depth) throws InputException {
    if (depth > DEEPEST) {
      throw problem("the JSON is too deep", DEEPEST + " levels", "more");
    }
    int c = peek();
    switch (c) {
      case '{' -> {
        at++;
        for (boolean first = true; !take('}'); first = false) {
          if (!first) {
            expect(',');
          }
          skipString();
          expect(':');
          skipValue(depth + 1);
        }
      }
      case '[' -> {
        at++;
        for (boolean first = true; !take(']'); first = false) {
          if (!first) {
            expect(',');
          }
          skipValue(depth + 1);
        }
      }
      case '"' -> skipString();
      default -> skipWord();
    }
  }

  private void skipString() throws InputException {
    expect('"');
    while (true) {
      if (at == limit) {
        fill(1);
        if (at == limit) {
          throw problem("a string does not end", "\"", "the end");
        }
      }
      byte c = buffer[at++];
      if (c == '"') {
        return;
      }
      if (c == '\\') {
        if (at == limit) {
          fill(1);
        }
        at++;
      }
    }
  }

  /** A number, true, false or null. */
  private void skipWord() throws InputException {
    long start = position();
    while (true) {
      if (at == limit) {
        fill(1);
      }
      int c = at == limit ? -1 : buffer[at];
      boolean part = c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == '-' || c == '+';
      if (!part && c != '.' && c != 'E') {
        if (position() == start) {
          throw problem("unexpected JSON", "a value", printable(c));
        }
        return;
      }
      at++;
    }
  }

  void requireEnd() throws InputException {
    int found = peek();
    if (found >= 0) {
      throw problem("there is more after the JSON", "its end", printable(found));
    }
  }
}
