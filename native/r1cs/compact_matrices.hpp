// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "r1cs/matrix.hpp"

namespace cuzk {

// The matrices A and B of a circuit as gadgets at places (docs/FORMATS.md, "Compact matrices", from the modulus on),
// expanded by all threads: places stand in the order of their rows, so that each knows beforehand where its terms go,
// and nothing is sorted. Everything that expanding relies on is checked before.
template <class Fr>
class CompactMatrices {
 public:
  static constexpr unsigned MATRICES = 2;

  // Throws Failure(CUZK_INVALID_ARGUMENT) where the bytes are not matrices of that shape.
  CompactMatrices(const void *bytes, uint64_t size, const cuzk_shape &shape) : reader_{bytes, size} {
    readHeader(shape);
    readGadgets();
    readPlaces();
    require(reader_.left == 0, "compact matrices: bytes after their end");
    checkPlaces(shape);
  }

  // Adds the coefficients, and makes A and B with the rows input * 0 = 0 that a key appends.
  void expand(const Context &context, size_t rowCount, Coefficients<Fr> &coefficients, SparseMatrix<Fr> *matrices) {
    const Fr squared = Fr::fromLimbs(Fr::Parameters::R2);
    std::vector<uint32_t> numbers(coefficients_.size());
    for (size_t i = 0; i < numbers.size(); i++) {
      numbers[i] = coefficients.add(coefficients_[i] * squared * squared);
    }
    const uint32_t one = coefficients.add(Fr::one() * squared);
    for (Gadget &gadget : gadgets_) {
      for (auto &combinations : gadget.matrices) {
        for (Term &term : combinations.terms) term.coefficient = numbers[term.coefficient];
      }
    }
    for (unsigned m = 0; m < MATRICES; m++) matrices[m] = expanded(context, rowCount, m, one);
  }

 private:
  using Term = typename SparseMatrix<Fr>::Term;  // `column` is a code in gadgets

  static constexpr uint32_t AUXILIARY = uint32_t{1} << 31, ARGUMENT = uint32_t{1} << 30;
  static constexpr size_t PLACES_A_TASK = 16, ROWS_A_TASK = size_t{1} << 16;

  struct Reader {
    const void *bytes;
    uint64_t left;

    void take(void *target, uint64_t count) {
      require(count <= left, "compact matrices: they end too early");
      if (count > 0) std::memcpy(target, bytes, count);
      bytes = static_cast<const uint8_t *>(bytes) + count;
      left -= count;
    }
    template <class T>
    std::vector<T> array(uint64_t count) {
      require(count <= left / sizeof(T), "compact matrices: they end too early");
      std::vector<T> result(count);
      take(result.data(), count * sizeof(T));
      return result;
    }
    uint32_t number() {
      uint32_t value;
      take(&value, sizeof value);
      return value;
    }
  };

  // One matrix of a gadget, by constraint.
  struct Combinations {
    std::vector<uint32_t> starts;  // one more than constraints
    std::vector<Term> terms;
  };
  struct Gadget {
    uint32_t constraints, terms;
    // One more than the highest number of an own variable, of an own input and of an argument.
    uint64_t auxiliaries = 0, inputs = 0, arguments = 0;
    Combinations matrices[MATRICES];
  };

  void readHeader(const cuzk_shape &shape) {
    uint64_t modulus[4];
    reader_.take(modulus, sizeof modulus);
    require(std::memcmp(modulus, Fr::Parameters::MODULUS, sizeof modulus) == 0,
            "compact matrices: they are over another field");
    inputs_ = reader_.number();
    auxiliaries_ = reader_.number();
    const uint32_t coefficients = reader_.number(), gadgets = reader_.number();
    reader_.number();  // constraints of all gadgets
    places_ = reader_.number();
    arguments_ = reader_.number();
    require(inputs_ == shape.public_inputs && 1 + uint64_t{inputs_} + auxiliaries_ == shape.variables,
            "compact matrices: other variables than the key's shape has");
    for (uint32_t i = 0; i < coefficients; i++) {
      uint64_t limbs[4];
      reader_.take(limbs, sizeof limbs);
      if (!Fr::isBelowModulus(limbs)) {
        throw Failure(CUZK_INVALID_SCALAR, "compact matrices: a coefficient is not below the group order", i);
      }
      coefficients_.push_back(Fr::fromLimbs(limbs));
    }
    require(gadgets <= reader_.left / 8, "compact matrices: they end too early");
    gadgets_.resize(gadgets);
  }

  void readGadgets() {
    for (Gadget &gadget : gadgets_) {
      gadget.constraints = reader_.number();
      gadget.terms = reader_.number();
    }
    for (Gadget &gadget : gadgets_) readGadget(gadget);
  }

  void readGadget(Gadget &gadget) {
    const auto ends = reader_.template array<uint32_t>(3 * uint64_t{gadget.constraints});
    const auto codes = reader_.template array<uint32_t>(gadget.terms);
    const auto numbers = reader_.template array<uint16_t>(gadget.terms);
    for (auto &combinations : gadget.matrices) combinations.starts.reserve(gadget.constraints + size_t{1});
    uint32_t term = 0;
    for (size_t i = 0; i < ends.size(); i++) {
      require(ends[i] >= term && ends[i] <= gadget.terms, "compact matrices: the ends of a gadget do not ascend");
      if (i % 3 == MATRICES) {  // C, which is the product of the other two
        term = ends[i];
        continue;
      }
      Combinations &target = gadget.matrices[i % 3];
      target.starts.push_back(static_cast<uint32_t>(target.terms.size()));
      for (; term < ends[i]; term++) {
        require(numbers[term] < coefficients_.size(), "compact matrices: a coefficient that is not there");
        note(gadget, codes[term]);
        target.terms.push_back({codes[term], numbers[term]});
      }
    }
    for (auto &combinations : gadget.matrices) {
      combinations.starts.push_back(static_cast<uint32_t>(combinations.terms.size()));
    }
  }
  static void note(Gadget &gadget, uint32_t code) {
    if ((code & AUXILIARY) != 0) {
      gadget.auxiliaries = std::max<uint64_t>(gadget.auxiliaries, uint64_t{code & ~AUXILIARY} + 1);
    } else if ((code & ARGUMENT) != 0) {
      gadget.arguments = std::max<uint64_t>(gadget.arguments, uint64_t{code & ~ARGUMENT} + 1);
    } else {
      gadget.inputs = std::max<uint64_t>(gadget.inputs, uint64_t{code} + 1);
    }
  }

  void readPlaces() {
    gadget_ = reader_.template array<uint32_t>(places_);
    firstConstraint_ = reader_.template array<uint32_t>(places_ + uint64_t{1});
    firstAuxiliary_ = reader_.template array<uint32_t>(places_);
    firstInput_ = reader_.template array<uint32_t>(places_);
    firstArgument_ = reader_.template array<uint32_t>(places_);
    argumentCodes_ = reader_.template array<uint32_t>(arguments_);
  }

  void checkPlaces(const cuzk_shape &shape) const {
    uint64_t constraints = 0, entries = uint64_t{inputs_} + 1;
    for (size_t place = 0; place < places_; place++) {
      require(gadget_[place] < gadgets_.size(), "compact matrices: a gadget that is not there");
      const Gadget &gadget = gadgets_[gadget_[place]];
      require(firstConstraint_[place] == constraints, "compact matrices: the places leave rows out");
      constraints += gadget.constraints;
      for (const auto &combinations : gadget.matrices) entries += combinations.terms.size();
      require(firstAuxiliary_[place] + gadget.auxiliaries <= auxiliaries_ &&
                  firstInput_[place] + gadget.inputs <= uint64_t{inputs_} + 1 &&
                  firstArgument_[place] + gadget.arguments <= argumentCodes_.size(),
              "compact matrices: a place has variables that the circuit does not have");
    }
    require(firstConstraint_[places_] == constraints, "compact matrices: the places leave rows out");
    require(constraints + inputs_ + 1 <= uint64_t{1} << shape.domain_log2,
            "compact matrices: more rows than the key's shape has");
    require(entries == shape.entries, "compact matrices: another number of entries than the key's shape has");
    for (uint32_t code : argumentCodes_) {
      require((code & AUXILIARY) != 0 ? (code & ~AUXILIARY) < auxiliaries_ : code <= inputs_,
              "compact matrices: an argument that the circuit does not have");
    }
  }

  SparseMatrix<Fr> expanded(const Context &context, size_t rowCount, unsigned m, uint32_t one) const {
    std::vector<uint64_t> before(places_ + size_t{1});
    for (size_t place = 0; place < places_; place++) {
      before[place + 1] = before[place] + gadgets_[gadget_[place]].matrices[m].terms.size();
    }
    const size_t inputRows = m == 0 ? size_t{inputs_} + 1 : 0;
    SparseMatrix<Fr> result;
    result.starts_ = Array<uint64_t>(context.memory, rowCount + 1);
    result.terms_ = Array<Term>(context.memory, before[places_] + inputRows);
    uint64_t *starts = result.starts_.data();
    context.forRange(places_, PLACES_A_TASK, [&](size_t begin, size_t end) {
      for (size_t place = begin; place < end; place++) {
        const Combinations &source = gadgets_[gadget_[place]].matrices[m];
        uint64_t *rows = starts + firstConstraint_[place];
        for (size_t i = 0; i + 1 < source.starts.size(); i++) rows[i] = before[place] + source.starts[i];
        Term *terms = result.terms_.data() + before[place];
        for (size_t i = 0; i < source.terms.size(); i++) {
          terms[i] = {column(place, source.terms[i].column), source.terms[i].coefficient};
        }
      }
    });
    const size_t rows = firstConstraint_[places_];
    for (size_t i = 0; i < inputRows; i++) {
      starts[rows + i] = before[places_] + i;
      result.terms_[before[places_] + i] = {static_cast<uint32_t>(i), one};
    }
    const size_t firstEmpty = rows + inputRows;
    context.forRange(rowCount + 1 - firstEmpty, ROWS_A_TASK, [&](size_t begin, size_t end) {
      std::fill(starts + firstEmpty + begin, starts + firstEmpty + end, result.terms_.size());
    });
    return result;
  }

  uint32_t column(size_t place, uint32_t code) const {
    if ((code & AUXILIARY) != 0) return (code & ~AUXILIARY) + firstAuxiliary_[place] + 1 + inputs_;
    if (code == 0) return 0;
    if ((code & ARGUMENT) == 0) return firstInput_[place] + code;
    const uint32_t argument = argumentCodes_[firstArgument_[place] + (code & ~ARGUMENT)];
    return (argument & AUXILIARY) != 0 ? (argument & ~AUXILIARY) + 1 + inputs_ : argument;
  }

  Reader reader_;
  uint32_t inputs_ = 0, auxiliaries_ = 0, places_ = 0, arguments_ = 0;
  std::vector<Fr> coefficients_;  // canonical
  std::vector<Gadget> gadgets_;
  std::vector<uint32_t> gadget_, firstConstraint_, firstAuxiliary_, firstInput_, firstArgument_, argumentCodes_;
};

}  // namespace cuzk
