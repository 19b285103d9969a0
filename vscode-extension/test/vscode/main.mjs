// Runs scenarios in a real VS Code. Usage: node main.mjs TOOLS BINARY [SCENARIO...]

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Editor, Tools, lines, until } from "./editor.mjs";
import { lineOf, notingServer, packageWithBugs, script } from "./programs.mjs";

const THEMES = {
  dark: "Default Dark Modern",
  light: "Default Light Modern",
  "high-contrast": "Default High Contrast",
  "high-contrast-light": "Default High Contrast Light",
};

/** A window on the package, with the real server. */
async function real(tools, name, options = {}) {
  const folder = packageWithBugs(join(tools.temporary, `${name}-package`));
  const noted = join(tools.temporary, `${name}-server`);
  mkdirSync(noted);
  const server = notingServer(noted, tools.binary);
  const machine = { "tsvd-check.server.path": server.program, ...options.machine };
  const editor = await Editor.open(tools, name, { folder, file: "src/main.rs", ...options, machine });
  return { folder, server, editor };
}

/** Does something in a window and closes it; keeps what is on the screen if it fails. */
async function within(editor, what) {
  try {
    await what();
  } catch (error) {
    await editor.shot("failed");
    console.log(`Problems: ${JSON.stringify(await editor.problems(), undefined, 2)}`);
    throw error;
  } finally {
    await editor.close();
  }
}

const scenarios = {
  /** A deadlock shows, with both places; it goes with the edit that repairs it. The same with a collection without a lock. */
  async findings(tools) {
    const { folder, editor } = await real(tools, "findings");
    await within(editor, async () => {
      const shows = async (...patterns) => {
        await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
        await until(`${patterns.join(", ")} in Problems`, 30_000, async () => {
          const rows = await editor.problems();
          return patterns.every((pattern) => rows.some((row) => pattern.test(row)));
        });
      };
      const isGone = async (pattern) => {
        await until("no squiggle", 30_000, async () => (await editor.page.$(".squiggly-error")) === null);
        await until("no problem", 30_000, async () => !(await editor.problems()).some((row) => pattern.test(row)));
      };
      const deadlock = /`main` waits for .* while holding .* at line 10 and character 22/s;
      await shows(deadlock, /`main` took .* here, holds it until .* at line 9 and character 22 in main.rs/);
      console.log((await editor.problems()).map((row) => `    ${row}`).join("\n"));
      await editor.shot("deadlock");
      await until("idle", 60_000, async () => (await editor.status()).includes("codicon-check"));
      await editor.page.click(".monaco-editor .view-line");
      await editor.replaceLine(lineOf(join(folder, "src/main.rs"), "transfer(&b, &a, 20);"), "    transfer(&a, &b, 20);");
      await isGone(deadlock);
      await editor.shot("deadlock-repaired");

      await editor.openFile("book.rs");
      const violation = /calls `BTreeMap::insert` on `OrderBook.levels`/;
      await shows(violation, /`main` called `BTreeMap::insert` here at line 26 and character 9 in book.rs/);
      await editor.shot("thread-safety-violation");
      await editor.page.click(".monaco-editor .view-line");
      await editor.replaceLine(lineOf(join(folder, "src/bin/book.rs"), "fn bid") + 1, "        let _held = self.asks.lock().unwrap();");
      await isGone(violation);
      await editor.shot("thread-safety-violation-repaired");
    });
  },

  /** The interleaving and the explanation of a finding, in every kind of theme. */
  async views(tools) {
    for (const [kind, theme] of Object.entries(THEMES)) {
      const { editor } = await real(tools, `views-${kind}`, { user: { "workbench.colorTheme": theme } });
      await within(editor, async () => {
        await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
        await editor.page.click(".monaco-editor .view-line");
        // The other place of the finding.
        await editor.goTo(9, 25);
        await editor.command("tsvd-check: Show the Interleaving of the Finding at the Cursor");
        const view = await editor.webview("a[data-path]");
        await editor.shot("interleaving");
        assert.match(await view.innerText("h1"), /^deadlock: main and thread 1 .* each hold a lock/);
        const tabs = await editor.page.$$eval(".tab.active", (all) => all.map((tab) => tab.getAttribute("aria-label") ?? ""));
        assert.ok(tabs.some((label) => label.startsWith("deadlock: main and thread 1")), tabs.join("; "));
        const page = await view.$eval("body", (body) => getComputedStyle(body).backgroundColor);
        const around = await view.$eval("body", (body) => getComputedStyle(body).getPropertyValue("--vscode-editor-background"));
        assert.equal(rgb(page), rgb(around), "the page has the theme's colour");
        // A click may come before the view's script has started.
        const clicked = async (link, position) => {
          const isThere = async () => (await editor.position())?.startsWith(position);
          await until(`the cursor is at ${position}`, 30_000, async () => {
            await view.click(link);
            return (await isThere()) || (await new Promise((later) => setTimeout(later, 2_000)), isThere());
          });
        };
        await clicked('svg a[data-line="21"]', "Ln 21,");
        await clicked('.site a[data-line="10"]', "Ln 10, Col 22");
        await editor.shot("a-place-was-clicked");
        await editor.command("tsvd-check: Explain a Rule");
        await editor.page.waitForSelector('.quick-input-widget .monaco-list-row[aria-label*="deadlock"]');
        await editor.shot("rules");
        await editor.page.keyboard.press("Enter");
        await editor.webview("h2#what-it-reports");
        await editor.shot("explanation");
      });
    }
  },

  /** The code of a finding is a link: a click opens the page of its rule. */
  async links(tools) {
    const { editor } = await real(tools, "links");
    await within(editor, async () => {
      await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      await editor.page.click(".monaco-editor .view-line");
      await editor.goTo(10, 25);
      await editor.command("Show or Focus Hover");
      const link = '.monaco-hover a:has-text("deadlock")';
      await editor.page.waitForSelector(link);
      // The server's own hover comes later, and everything is drawn again.
      await editor.page.waitForSelector('.monaco-hover :text("neither can go on")');
      await editor.shot("hover");
      await editor.page.click(link);
      await editor.page.waitForSelector('.tab.active[data-resource-name="deadlock.md"]');
      await until("the page", 10_000, async () => /#\s*deadlock\s/.test(await editor.page.innerText(".editor-instance .view-lines")));
      await editor.shot("page");
    });
  },

  /** What the server offers for a finding. */
  async fixes(tools) {
    const { folder, editor } = await real(tools, "fixes");
    await within(editor, async () => {
      const choose = async (title) => {
        const row = `.action-widget .monaco-list-row:has-text("${title}")`;
        // A view that has just opened may close the menu.
        await until(`the offer ${title}`, 20_000, async () => {
          await editor.page.keyboard.press("Control+.");
          return editor.page.waitForSelector(row, { timeout: 3000 }).catch(() => undefined);
        });
        await editor.shot("offers");
        await editor.page.click(row);
      };
      await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      await editor.page.click(".monaco-editor .view-line");
      await editor.goTo(10, 25);
      await choose("Show the interleaving");
      await editor.webview("svg a[data-path]");
      await editor.goTo(10, 25);
      await choose("Explain deadlock");
      await editor.webview("h2#what-it-reports");
      await editor.page.click(".monaco-editor .view-line");
      await editor.goTo(lineOf(join(folder, "src/main.rs"), "let mut target"), 25);
      await choose("Suppress this deadlock");
      await until("the comment", 10_000, async () => (await editor.page.innerText(".monaco-editor .view-lines")).includes("allow(deadlock"));
      await until("no squiggle", 30_000, async () => (await editor.page.$(".squiggly-error")) === null);
      await editor.shot("suppressed");
    });
  },

  /** A repository cannot set what is started, whether its folder is trusted or not. */
  async restricted(tools) {
    for (const hasTrust of [true, false]) {
      const name = hasTrust ? "restricted" : "trusted";
      const folder = packageWithBugs(join(tools.temporary, `${name}-folder`));
      const marker = join(tools.temporary, `${name}-marker`);
      mkdirSync(join(folder, ".vscode"));
      const settings = {
        "tsvd-check.server.path": script(join(folder, "server"), `touch '${marker}'`),
        "tsvd-check.server.extraEnv": { FROM_THE_REPOSITORY: "1" },
        "tsvd-check.server.memory": "1MB",
        "tsvd-check.trust": "untrusted",
      };
      writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify(settings));
      // There is no other server: nothing at all is started.
      const alone = await Editor.open(tools, `${name}-alone`, { folder, file: "src/main.rs", hasTrust });
      await within(alone, async () => {
        await alone.message(/program tsvd-check was not found/);
        await alone.page.waitForTimeout(3000);
        await alone.shot("nothing-started");
        assert.ok(!existsSync(marker), "the repository's program was started");
      });
      // There is the user's own: it is started, as the user has set it.
      const noted = join(tools.temporary, `${name}-own`);
      mkdirSync(noted);
      const server = notingServer(noted, tools.binary);
      const machine = { "tsvd-check.server.path": server.program };
      const editor = await Editor.open(tools, name, { folder, file: "src/main.rs", machine, hasTrust });
      await within(editor, async () => {
        await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
        await editor.shot("own-server");
        assert.deepEqual(lines(server.starts).map((line) => line.replace(/^\d+ /, "")), ["lsp --stdio"]);
        assert.ok(!lines(server.environment).some((line) => line.startsWith("FROM_THE_REPOSITORY")), "the environment is the user's");
        const said = lines(server.input).join("\n");
        assert.match(said, new RegExp(`"workspaceTrusted":${!hasTrust},"trust":"default"`));
        assert.doesNotMatch(said, /"untrusted"/);
        assert.ok(!existsSync(marker), "the repository's program was started");
        if (hasTrust) {
          await editor.command("Workspaces: Manage Workspace Trust");
          await editor.page.click('.workspace-trust-editor a:has-text("Trust"), .workspace-trust-editor .monaco-button:has-text("Trust")');
          await until("the server starts again", 30_000, () => lines(server.starts).length === 2);
          await until("it is told", 10_000, () => lines(server.input).join("\n").includes('"workspaceTrusted":true'));
          await until("idle", 60_000, async () => (await editor.status()).includes("codicon-check"));
          await editor.shot("trust-granted");
          assert.ok(!existsSync(marker), "the repository's program was started");
        }
      });
    }
  },

  /** No program, a wrong one, and one that ends: a message says what to do. */
  async failures(tools) {
    const folder = packageWithBugs(join(tools.temporary, "failures-package"));
    const missing = await Editor.open(tools, "missing", { folder, file: "src/main.rs" });
    await within(missing, async () => {
      await missing.message(/not found.*Install it so that it is on your PATH.*tsvd-check\.server\.path/);
      await until("its state is an error", 10_000, async () => (await missing.status()).includes("codicon-error"));
      await missing.shot("message");
      await missing.page.click('.notification-list-item .monaco-button:has-text("Open settings")');
      await missing.page.waitForSelector(".settings-editor .setting-item-contents");
      await missing.page.waitForTimeout(1000);
      await missing.shot("settings");
    });
    const wrong = { "tsvd-check.server.path": tools.binary, "tsvd-check.server.memory": "much" };
    const broken = await Editor.open(tools, "broken", { folder, file: "src/main.rs", machine: wrong });
    await within(broken, async () => {
      await broken.message(/did not start: error: invalid value 'much' for '--memory/);
      await broken.shot("message");
      await broken.page.click('.notification-list-item .monaco-button:has-text("Show log")');
      await broken.page.waitForTimeout(1500);
      await broken.shot("log");
      assert.equal((await broken.messages()).length, 0, "one message, not several");
    });
    // A server that never answers is replaced once the setting is corrected.
    const silent = script(join(tools.temporary, "silent/server"), `echo $$ >> '${tools.temporary}/silent/starts'\nexec sleep 1000`);
    const starts = join(tools.temporary, "silent/starts");
    const hung = await Editor.open(tools, "silent", { folder, file: "src/main.rs", machine: { "tsvd-check.server.path": silent } });
    await within(hung, async () => {
      await until("a start", 30_000, () => lines(starts).length === 1);
      await until("the status bar says so", 10_000, async () => (await hung.status()).includes("the server starts"));
      hung.write("Machine", { "tsvd-check.server.path": tools.binary });
      await hung.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      await until("the silent one is gone", 10_000, () => !existsSync(`/proc/${lines(starts)[0]}`));
      assert.deepEqual(await hung.messages(), []);
    });
    const { server, editor } = await real(tools, "ended");
    await within(editor, async () => {
      await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      for (let count = 1; count <= 4; count++) {
        const started = lines(server.starts);
        assert.equal(started.length, count);
        process.kill(Number(started[count - 1].split(" ")[0]));
        await until(`start ${count + 1}`, 30_000, () => lines(server.starts).length === count + 1);
        await until("its answer", 30_000, async () => (await editor.status()).includes("codicon-check"));
      }
      assert.deepEqual(await editor.messages(), []);
      await editor.shot("started-again");
      process.kill(Number(lines(server.starts)[4].split(" ")[0]));
      await editor.message(/ended repeatedly and was not restarted/);
      await editor.shot("given-up");
      await editor.command("tsvd-check: Restart Server");
      await until("the last start", 30_000, () => lines(server.starts).length === 6);
      await until("its answer", 30_000, async () => (await editor.status()).includes("codicon-check"));
    });
  },

  /** rust-analyzer shows the same findings: a warning, until the user does not want it. */
  async duplicates(tools) {
    const { editor } = await real(tools, "duplicates", { user: { "rust-analyzer.check.command": "tsvd" } });
    await within(editor, async () => {
      await editor.message(/show twice/);
      await editor.shot("warning");
      await editor.page.click('.notification-list-item .monaco-button:has-text("Don\'t show again")');
      // The browser's storage is written every few seconds.
      await editor.page.waitForTimeout(7000);
      await editor.page.reload();
      await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      await editor.page.waitForTimeout(2000);
      assert.deepEqual(await editor.messages(), []);
    });
  },

  /** The walkthrough; a step is done once its command was run. */
  async walkthrough(tools) {
    const { editor } = await real(tools, "walkthrough");
    await within(editor, async () => {
      await editor.page.waitForSelector(".squiggly-error", { timeout: 60_000 });
      await editor.command("Welcome: Open Walkthrough");
      const row = '.quick-input-widget .monaco-list-row[aria-label*="Get started with tsvd-check"]';
      await editor.page.waitForSelector(row);
      await editor.page.click(row);
      await editor.page.waitForSelector(".getting-started-step");
      assert.equal((await editor.page.$$(".getting-started-step")).length, 3);
      await editor.page.waitForTimeout(1500);
      await editor.shot("first-step");
      await editor.page.click('.getting-started-step .monaco-button:has-text("Restart the server")');
      await editor.page.waitForSelector(".getting-started-step .codicon-getting-started-step-checked.complete", { timeout: 20_000 });
      await editor.page.waitForTimeout(1500);
      await editor.shot("next-step");
    });
  },
};

function rgb(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour.trim());
  return hex === null ? colour.replace(/\s/g, "") : `rgb(${hex.slice(1).map((it) => parseInt(it, 16)).join(",")})`;
}

const [folder, binary, ...wanted] = process.argv.slice(2);
console.log(execFileSync(binary, ["--version"], { encoding: "utf8" }).trim());
const tools = new Tools(folder, binary);
let failed = 0;
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(scenarios)) {
    const start = Date.now();
    try {
      await scenarios[name](tools);
      console.log(`ok ${name} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed += 1;
      console.log(`FAILED ${name}: ${error.stack}`);
    }
  }
} finally {
  tools.dispose();
}
process.exit(failed === 0 ? 0 : 1);
