// Bundles the extension into dist/; with the argument `test`, the unit tests into dist/test/.

import { build } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const common = { absWorkingDir: root, bundle: true, platform: "node", target: "node20", format: "cjs", logLevel: "warning" };

if (process.argv[2] === "test") {
  rmSync(join(root, "dist/test"), { recursive: true, force: true });
  const tests = readdirSync(join(root, "test/unit")).map((name) => join("test/unit", name));
  await build({ ...common, entryPoints: tests, outdir: "dist/test", sourcemap: "inline" });
} else {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  mkdirSync(join(root, "dist"));
  const { metafile } = await build({
    ...common,
    entryPoints: ["src/extension.ts"],
    outfile: "dist/extension.js",
    external: ["vscode"],
    metafile: true,
  });
  writeFileSync(join(root, "dist/THIRD-PARTY-NOTICES.txt"), notices(Object.keys(metafile.inputs)));
  for (const licence of ["LICENSE-MIT", "LICENSE-APACHE"]) {
    copyFileSync(join(root, "..", licence), join(root, licence));
  }
}

/** The licences of the packages that are in the bundle. */
function notices(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found !== null) {
      folders.add(found[1]);
    }
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const file = readdirSync(join(root, folder)).find((it) => /^licen[cs]e/i.test(it));
    if (file === undefined || !existsSync(join(root, folder, file))) {
      throw new Error(`${name} has no licence file`);
    }
    return `${name} ${version} (${license})\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n`;
  });
  return `The extension contains these packages.\n\n${texts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
