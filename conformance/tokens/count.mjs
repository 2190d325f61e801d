// Compares the o200k counts in ../tokens.json with the tokenizer; with --write it puts its counts into the file.
// The file holds one vector per line, and a count of null where counting would take too long or the bytes are no
// UTF-8.
import { readFileSync, writeFileSync } from "node:fs";
import { get_encoding } from "tiktoken";

const path = new URL("../tokens.json", import.meta.url);
const longest = 1 << 20;
const encoding = get_encoding("o200k_base");

function count(vector) {
  if (vector.text_hex !== undefined) return null;
  const text = vector.text ?? vector.repeat.repeat(vector.times);
  return text.length > longest ? null : encoding.encode_ordinary(text).length;
}

let wrong = 0;
const lines = readFileSync(path, "utf8").split("\n").map((line) => {
  if (!line.startsWith('  {"name":')) return line;
  const vector = JSON.parse(line.replace(/,$/, ""));
  const counted = count(vector);
  if (counted === vector.o200k) return line;
  wrong++;
  console.log(`${vector.name}: the file says ${vector.o200k}, the tokenizer ${counted}`);
  return line.replace(/"o200k":[^,}]+(\},?)$/, `"o200k":${counted}$1`);
});

if (process.argv.includes("--write")) {
  writeFileSync(path, lines.join("\n"));
} else if (wrong > 0) {
  process.exitCode = 1;
}
