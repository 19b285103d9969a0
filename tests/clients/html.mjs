// Looks at HTML reports in Chromium. Usage: node html.mjs TOOLS BINARY OUTPUT; `.ci/clients.d/html` calls it.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Programs of the corpus, and how many findings they have: two lanes, many lanes, other rules, nothing. */
const PROGRAMS = {
  "deadlock/bank_audit": 1,
  "deadlock/philosophers/bug.rs": 1,
  "race/flag_before_data/bug.rs": 1,
  "tsv/shared_map/bug.rs": 1,
  "deadlock/order_two/fixed.rs": 0,
};

const VIEWS = {
  light: { width: 1280, media: "screen", colorScheme: "light" },
  dark: { width: 1280, media: "screen", colorScheme: "dark" },
  phone: { width: 390, media: "screen", colorScheme: "light" },
  "phone-dark": { width: 390, media: "screen", colorScheme: "dark" },
  // The width of a sheet in A4 without margins; a printer is white even if the system is dark.
  print: { width: 794, media: "print", colorScheme: "dark" },
};

/** What a text needs to be readable (WCAG 2, level AA). */
const CONTRAST = 4.5;

const [tools, binary, output] = process.argv.slice(2);
const { chromium } = createRequire(join(tools, "package.json"))("playwright-core");

/** Checks a program; gives its report as data and where the page is. */
function report(program) {
  const page = join(output, `${program.replace(/\/|\.rs$/g, "-").replace(/-+$/, "")}.html`);
  const args = ["check", "--no-cache", "--format", "json", "--output", `html=${page}`, join("corpus", program)];
  const { status, stdout, stderr } = spawnSync(binary, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  assert.equal(status, PROGRAMS[program] === 0 ? 0 : 1, stderr);
  const findings = JSON.parse(stdout).parts.flatMap((part) => part.packages.flatMap((it) => it.findings));
  assert.equal(findings.length, PROGRAMS[program]);
  return { page, findings };
}

/** Runs in the page: what can be measured there. */
function measured() {
  const parsed = (colour) => {
    const numbers = (colour.match(/[\d.]+/g) ?? []).map(Number);
    return colour.startsWith("rgb") ? { rgb: numbers.slice(0, 3), alpha: numbers[3] ?? 1 } : undefined;
  };
  const luminance = ({ rgb }) => {
    const [red, green, blue] = rgb.map((it) => it / 255).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one, two) => {
    const [dark, light] = [luminance(one), luminance(two)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  };
  // What is painted behind the middle of a text.
  const behind = (element, box) => {
    const stack = document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    for (const below of [element, ...stack, ...ancestors(element)]) {
      const style = getComputedStyle(below);
      const isShape = below instanceof SVGElement && !(below instanceof SVGSVGElement);
      const paint = parsed(isShape ? (below === element || below instanceof SVGTextElement ? "none" : style.fill) : style.backgroundColor);
      if (paint !== undefined && paint.alpha === 1) {
        return paint;
      }
    }
    return undefined;
  };
  const ancestors = (element) => (element === null ? [] : [element, ...ancestors(element.parentElement)]);
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (node.data.trim() === "" || box.width === 0) {
      continue;
    }
    const element = node.parentElement;
    const style = getComputedStyle(element);
    const own = parsed(element instanceof SVGElement ? style.fill : style.color);
    // What a scrollable part hides has no point of its own: its colours are those of its neighbours.
    const isInView = box.x >= 0 && box.x + box.width / 2 < innerWidth;
    const paper = isInView ? behind(element, box) : undefined;
    texts.push({ text: node.data.trim(), contrast: paper === undefined ? undefined : contrast(own, paper), isInView });
  }
  const pictures = [...document.querySelectorAll(".lanes svg")].map((svg) => {
    const boxes = [...svg.querySelectorAll("rect")].map((it) => it.getBBox());
    const whole = svg.viewBox.baseVal;
    const isOutside = (it) => {
      const { x, y, width, height } = it.getBBox();
      const around = boxes.find((box) => y > box.y && y + height < box.y + box.height && x > box.x && x < box.x + box.width) ?? whole;
      return x + width > around.x + around.width || x < around.x || y + height > around.y + around.height;
    };
    return {
      lanes: svg.querySelectorAll("line.thread").length,
      heads: [...svg.querySelectorAll(":scope > text.head")].map((it) => it.textContent),
      steps: boxes.length,
      arrows: svg.querySelectorAll("path").length,
      outside: [...svg.querySelectorAll("text")].filter(isOutside).map((it) => it.textContent),
    };
  });
  const page = document.documentElement;
  return {
    texts,
    pictures,
    overflow: page.scrollWidth - page.clientWidth,
    clipped: [...document.querySelectorAll("article, h1, h2, h3, p, ul")]
      .filter((it) => it.getBoundingClientRect().right > innerWidth + 0.5)
      .map((it) => it.textContent),
    scrolled: [...document.querySelectorAll(".lanes, pre")].filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent),
    scripts: document.scripts.length,
    paper: luminance(parsed(getComputedStyle(document.body).backgroundColor)),
  };
}

/** Looks at a report in one way. */
async function look(browser, { page: file, findings }, view, { width, media, colorScheme }) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url() === pathToFileURL(file).href || complaints.push(`it asks for ${request.url()}`));
  await page.emulateMedia({ media, colorScheme });
  await page.goto(pathToFileURL(file).href);
  // Only what is in the window can be asked what is behind it.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(900, height + 20) });
  const seen = await page.evaluate(measured);
  const kept = join(output, `${basename(file, ".html")}-${view}`);
  await page.screenshot({ path: `${kept}.png`, fullPage: true });
  if (media === "print") {
    const pdf = await page.pdf({ path: `${kept}.pdf`, format: "A4", printBackground: true });
    assert.ok(pdf.subarray(0, 5).toString() === "%PDF-" && pdf.length > 5_000, "it prints");
  }
  await context.close();

  assert.deepEqual(complaints, [], "nothing complains, nothing is loaded");
  assert.equal(seen.scripts, 0);
  assert.equal(seen.overflow, 0, "the page is as wide as the window");
  assert.deepEqual(seen.clipped, []);
  assert.deepEqual(media === "print" ? seen.scrolled : [], [], "paper does not scroll");
  assert.ok(colorScheme === "dark" && media === "screen" ? seen.paper < 0.1 : seen.paper > 0.9, `the paper's luminance is ${seen.paper}`);
  const pale = seen.texts.filter((it) => it.isInView && !(it.contrast >= CONTRAST));
  assert.deepEqual(pale, [], `texts with a contrast below ${CONTRAST}`);
  assert.ok(seen.texts.length > 0);
  assert.equal(seen.pictures.length, findings.length, "a picture for each finding");
  for (const [index, picture] of seen.pictures.entries()) {
    const { threads, steps } = findings[index];
    assert.equal(picture.lanes, threads.length, "a lane for each thread");
    for (const { name } of threads) {
      assert.ok(picture.heads.some((head) => head === name.replaceAll("`", "") || head.endsWith("…")), `${name}: ${picture.heads}`);
    }
    assert.equal(picture.steps, steps.length, "a box for each step");
    assert.ok(picture.arrows > 0 || !steps.some((step) => /^starts /.test(step.text)), "an arrow where a thread starts another");
    assert.deepEqual(picture.outside, [], "texts stay in their boxes");
  }
  return Math.min(...seen.texts.filter((it) => it.isInView).map((it) => it.contrast));
}

const profile = mkdtempSync(join(tmpdir(), "tsvd-check-html-"));
let failed = 0;
try {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    env: { ...process.env, HOME: profile },
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
  for (const program of Object.keys(PROGRAMS)) {
    const made = report(program);
    assert.ok(!/<script|https?:|@import|url\(/i.test(readFileSync(made.page, "utf8").replace(/<pre>[^]*?<\/pre>/g, "")), "one file");
    for (const [view, how] of Object.entries(VIEWS)) {
      try {
        const lowest = await look(browser, made, view, how);
        console.log(`ok ${program} ${view}: lowest contrast ${lowest.toFixed(1)}`);
      } catch (error) {
        failed += 1;
        console.log(`FAILED ${program} ${view}: ${error.message}`);
      }
    }
  }
  await browser.close();
} finally {
  rmSync(profile, { recursive: true, force: true });
}
process.exit(failed === 0 ? 0 : 1);
