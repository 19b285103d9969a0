// What the editor opens, and the programs that it may start.

import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const corpus = join(here, "../../../corpus");

function source(program) {
  return readFileSync(join(corpus, program, "bug.rs"), "utf8").replace(/ *\/\/~.*$/gm, "");
}

/** A package with a deadlock in `src/main.rs` and a collection without a lock in `src/bin/book.rs`. */
export function packageWithBugs(folder) {
  mkdirSync(join(folder, "src/bin"), { recursive: true });
  writeFileSync(join(folder, "Cargo.toml"), '[package]\nname = "accounts"\nversion = "0.1.0"\nedition = "2021"\n');
  writeFileSync(join(folder, "Cargo.lock"), 'version = 4\n\n[[package]]\nname = "accounts"\nversion = "0.1.0"\n');
  writeFileSync(join(folder, "src/main.rs"), source("deadlock/order_two"));
  writeFileSync(join(folder, "src/bin/book.rs"), source("tsv/book_two_locks"));
  return folder;
}

/** The number of the line that has this text. */
export function lineOf(file, text) {
  const line = readFileSync(file, "utf8").split("\n").findIndex((it) => it.includes(text)) + 1;
  if (line === 0) {
    throw new Error(`${file} has no line with ${text}`);
  }
  return line;
}

/** A script; gives its path. */
export function script(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/bash\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
}

/** Starts a server, and notes each start with process and arguments, the environment, and what the client says. */
export function notingServer(folder, binary) {
  const program = script(
    join(folder, "tsvd-check"),
    `echo "$$ $*" >> '${folder}/starts'\nenv >> '${folder}/environment'\nexec '${binary}' "$@" < <(tee -a '${folder}/input')`,
  );
  return { program, starts: join(folder, "starts"), environment: join(folder, "environment"), input: join(folder, "input") };
}
