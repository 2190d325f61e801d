// Package tokens is the frozen token estimator seif-est/1.
//
// It estimates how many tokens a model's tokenizer makes of a text, without any tokenizer: every code point has a
// price by its class and by a short memory of what stands before it, and the prices add up. The classes and prices
// are the tables of this package; they depend on no Unicode table of a Go release, no platform and no setting.
//
// Guarantees, each held by a test:
//
//   - Equal text has an equal estimate for ever. A change of any number is another estimator with another name.
//   - 0 <= Count(text) <= len(text), it is 0 for the empty text only, and it is at most [Maximum] of the text's code
//     points. Integers only, nothing overflows, every byte sequence is counted, one pass from left to right.
//   - A text never counts less than a text that it continues: Count(a) <= Count(a+b) where a ends between two code
//     points.
//   - Parts add up to nearly the whole: Count(a+b) and Count(a)+Count(b) differ by no more than 16 then.
//
// It is an estimate, biased high on purpose: about a quarter above the o200k vocabulary on ordinary text. README.md
// has the figures, and where it can still be low.
package tokens
