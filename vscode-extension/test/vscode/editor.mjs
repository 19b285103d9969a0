// VS Code in a browser: a code-server with its own settings, and a page of Chromium that shows a folder.

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const shots = join(root, "test/shots");

const QUIET = {
  "telemetry.telemetryLevel": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "workbench.startupEditor": "none",
  "chat.disableAIFeatures": true,
  "git.enabled": false,
  "files.autoSave": "off",
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "security.workspace.trust.startupPrompt": "never",
  "security.workspace.trust.banner": "never",
};

/** What all scenarios share. */
export class Tools {
  constructor(folder, binary) {
    this.codeServer = join(folder, "node_modules/.bin/code-server");
    this.chromium = createRequire(join(folder, "package.json"))("playwright-core").chromium;
    this.binary = binary;
    this.temporary = mkdtempSync(join(tmpdir(), "tsvd-check-vscode-"));
    this.extensions = join(this.temporary, "extensions");
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const install = ["--install-extension", join(root, `tsvd-check-${version}.vsix`), "--force"];
    writeFileSync(join(this.temporary, "config.yaml"), "auth: none\ncert: false\n");
    execFileSync(this.codeServer, [...this.common(join(this.temporary, "install")), ...install], { stdio: "pipe" });
    rmSync(shots, { recursive: true, force: true });
    mkdirSync(shots, { recursive: true });
  }

  common(data) {
    return ["--config", join(this.temporary, "config.yaml"), "--user-data-dir", data, "--extensions-dir", this.extensions];
  }

  dispose() {
    rmSync(this.temporary, { recursive: true, force: true });
  }
}

/**
 * A window on a folder. `user` and `machine` are settings of the user and of the machine; without `hasTrust`, there is no
 * workspace trust, so everything is trusted.
 */
export class Editor {
  static async open(tools, name, { folder, file, user = {}, machine = {}, hasTrust = false }) {
    const editor = new Editor();
    editor.name = name;
    editor.count = 0;
    editor.data = join(tools.temporary, name);
    editor.write("User", { ...QUIET, "security.workspace.trust.enabled": hasTrust, ...user });
    editor.write("Machine", machine);
    const port = await freePort();
    const args = [
      ...tools.common(editor.data),
      "--bind-addr",
      `127.0.0.1:${port}`,
      "--disable-telemetry",
      "--disable-update-check",
      "--disable-getting-started-override",
      ...(hasTrust ? [] : ["--disable-workspace-trust"]),
    ];
    editor.server = spawn(tools.codeServer, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        // Without a server, unless a setting names one.
        PATH: process.env.PATH.split(delimiter).filter((folder) => !existsSync(join(folder, "tsvd-check"))).join(delimiter),
        XDG_CACHE_HOME: join(editor.data, "cache"),
        XDG_CONFIG_HOME: join(editor.data, "config"),
      },
    });
    editor.output = "";
    editor.server.stdout.on("data", (text) => (editor.output += text));
    editor.server.stderr.on("data", (text) => (editor.output += text));
    try {
      const address = `http://127.0.0.1:${port}`;
      await until(`code-server listens: ${editor.output}`, 30_000, async () => (await fetch(`${address}/healthz`).catch(() => undefined))?.ok);
      editor.context = await tools.chromium.launchPersistentContext(join(editor.data, "browser"), {
        executablePath: "/usr/bin/chromium",
        headless: true,
        viewport: { width: 1500, height: 950 },
        args: [
          ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
        ],
      });
      editor.page = editor.context.pages()[0] ?? (await editor.context.newPage());
      const payload = [["openFile", `vscode-remote://127.0.0.1:${port}${join(folder, file)}`]];
      const query = new URLSearchParams({ folder, payload: JSON.stringify(payload) });
      await editor.page.goto(`${address}/?${query}`, { waitUntil: "domcontentloaded" });
      await editor.page.waitForSelector(".monaco-editor .view-line", { timeout: 60_000 });
    } catch (error) {
      await editor.close();
      throw error;
    }
    return editor;
  }

  /** Writes the settings of the user or of the machine. */
  write(scope, settings) {
    mkdirSync(join(this.data, scope), { recursive: true });
    writeFileSync(join(this.data, scope, "settings.json"), JSON.stringify(settings));
  }

  async close() {
    await this.context?.close();
    this.server.kill();
    await new Promise((resolve) => (this.server.exitCode === null && this.server.signalCode === null ? this.server.once("exit", resolve) : resolve()));
  }

  /** Keeps what is on the screen. */
  async shot(what) {
    this.count += 1;
    await this.page.waitForTimeout(300);
    await this.page.screenshot({ path: join(shots, `${this.name}-${this.count}-${what}.png`) });
  }

  /** Runs a command of the palette. */
  async command(title) {
    await this.page.keyboard.press("F1");
    await this.page.waitForSelector(".quick-input-widget input:focus");
    await this.page.keyboard.insertText(title);
    await this.page.waitForSelector(`.quick-input-widget .monaco-list-row[aria-label*="${title}"]`);
    await this.page.keyboard.press("Enter");
  }

  /** Opens another file of the folder. */
  async openFile(name) {
    await this.page.keyboard.press("Control+p");
    await this.page.waitForSelector(".quick-input-widget input:focus");
    await this.page.keyboard.insertText(name);
    await this.page.waitForSelector(`.quick-input-widget .monaco-list-row[aria-label*="${name}"]`);
    await this.page.keyboard.press("Enter");
  }

  /** Puts the cursor at a place of the file in view. */
  async goTo(line, column) {
    await this.page.keyboard.press("Control+g");
    await this.page.waitForSelector(".quick-input-widget input:focus");
    // The input begins with a colon.
    await this.page.keyboard.insertText(`${line}:${column}`);
    await this.page.waitForSelector(`.quick-input-widget .monaco-list-row[aria-label*="line ${line}"]`);
    await this.page.keyboard.press("Enter");
    await until(`the cursor is at ${line}:${column}`, 10_000, async () => (await this.position()) === `Ln ${line}, Col ${column}`);
  }

  /** Where the cursor is, as the status bar says. */
  async position() {
    return /Ln \d+, Col \d+/.exec(await this.page.innerText(".statusbar"))?.[0];
  }

  /** Replaces a line of the file in view, without saving. */
  async replaceLine(line, text) {
    await this.goTo(line, 1);
    await this.page.keyboard.press("Shift+End");
    await this.page.keyboard.insertText(text);
    const shown = text.trim().replaceAll(" ", "\u00a0");
    await until(`the line is ${text}`, 10_000, async () => (await this.page.innerText(".monaco-editor .view-lines")).replaceAll(" ", "\u00a0").includes(shown));
  }

  /** What the Problems view says, a text for each row. */
  async problems() {
    if ((await this.page.$(".markers-panel")) === null) {
      await this.page.keyboard.press("Control+Shift+m");
      await this.page.waitForSelector(".markers-panel");
    }
    return this.page.$$eval(".markers-panel .monaco-list-row", (rows) => rows.map((row) => row.getAttribute("aria-label") || row.textContent));
  }

  /** Waits for a message whose text matches; gives the text. */
  async message(pattern, timeout = 30_000) {
    return until(`a message like ${pattern}`, timeout, async () => {
      const texts = await this.messages();
      return texts.find((text) => pattern.test(text));
    });
  }

  messages() {
    return this.page.$$eval(".notification-list-item-message", (items) => items.map((item) => item.textContent ?? ""));
  }

  /** What the extension's item in the status bar says. */
  async status() {
    const item = await this.page.$('.statusbar-item[id$="tsvd-check.status"]');
    return item === null ? "" : `${await item.getAttribute("aria-label")} ${await item.innerHTML()}`;
  }

  /** The frame of the webview in view. */
  async webview(selector) {
    return until(`a webview with ${selector}`, 30_000, async () => {
      for (const frame of this.page.frames().filter((it) => it !== this.page.mainFrame())) {
        if ((await frame.$(selector).catch(() => null)) !== null) {
          return frame;
        }
      }
      return undefined;
    });
  }
}

/** Waits until a question has an answer. */
export async function until(what, timeout, question) {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await question();
    if (answer) {
      return answer;
    }
    if (Date.now() > end) {
      throw new Error(`not within ${timeout / 1000} s: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export function lines(file) {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").filter((line) => line !== "") : [];
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
