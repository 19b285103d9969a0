import assert from "node:assert/strict";
import { test } from "node:test";
import { lensAt } from "../../src/lens";

test("the lens of the function at a line", () => {
  const lenses = [{ line: 9 }, { line: 2 }, { line: 5 }];
  assert.deepEqual(lensAt(lenses, 5), { line: 5 });
  assert.deepEqual(lensAt(lenses, 8), { line: 5 });
  assert.deepEqual(lensAt(lenses, 100), { line: 9 });
  assert.equal(lensAt(lenses, 1), undefined);
});
