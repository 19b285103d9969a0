// Draws icon.png: two threads, each of which waits for what the other one holds.

import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const SIZE = 256;
const SAMPLES = 4;
const LEFT = 60;
const RIGHT = SIZE - LEFT;
const FROM = 76;
const TO = 180;

const page = [27, 36, 48];
const blue = [121, 184, 255];
const orange = [255, 162, 112];

/** The distance of a point from a segment. */
function distance(x, y, [x1, y1, x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const at = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - x1 - at * dx, y - y1 - at * dy);
}

function isInside(x, y) {
  const radius = 48;
  const [dx, dy] = [Math.max(radius - x, x - SIZE + radius, 0), Math.max(radius - y, y - SIZE + radius, 0)];
  return Math.hypot(dx, dy) <= radius;
}

/** An arrow from the top of one lane towards the bottom of the other; it ends in front of the ring there. */
function arrow(from, to, colour) {
  const [dx, dy] = [to - from, TO - FROM];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const tip = [to - ux * 30, TO - uy * 30];
  const barb = (side) => [...tip, tip[0] - ux * 20 + side * uy * 16, tip[1] - uy * 20 - side * ux * 16];
  return [[from, FROM, ...tip], barb(1), barb(-1)].map((segment) => [segment, 5, colour]);
}

/** Segments with their width and colour; later ones lie above. */
const shapes = [
  [[LEFT, 32, LEFT, 224], 6, blue],
  [[RIGHT, 32, RIGHT, 224], 6, orange],
  ...arrow(LEFT, RIGHT, blue),
  ...arrow(RIGHT, LEFT, orange),
  // What each holds, and where it waits.
  [[LEFT, FROM, LEFT, FROM], 20, blue],
  [[RIGHT, FROM, RIGHT, FROM], 20, orange],
  [[LEFT, TO, LEFT, TO], 20, orange],
  [[LEFT, TO, LEFT, TO], 11, page],
  [[RIGHT, TO, RIGHT, TO], 20, blue],
  [[RIGHT, TO, RIGHT, TO], 11, page],
];

function colour(x, y) {
  if (!isInside(x, y)) {
    return [0, 0, 0, 0];
  }
  const top = shapes.findLast(([segment, width]) => distance(x, y, segment) <= width);
  return [...(top === undefined ? page : top[2]), 255];
}

const pixels = Buffer.alloc(SIZE * (SIZE * 4 + 1));
for (let y = 0; y < SIZE; y++) {
  for (let x = 0; x < SIZE; x++) {
    const sum = [0, 0, 0, 0];
    for (let sample = 0; sample < SAMPLES * SAMPLES; sample++) {
      const [dx, dy] = [(sample % SAMPLES) + 0.5, Math.floor(sample / SAMPLES) + 0.5];
      const [r, g, b, a] = colour(x + dx / SAMPLES, y + dy / SAMPLES);
      [r * a, g * a, b * a, a].forEach((part, index) => (sum[index] += part));
    }
    const at = y * (SIZE * 4 + 1) + 1 + x * 4;
    for (let part = 0; part < 3; part++) {
      pixels[at + part] = sum[3] === 0 ? 0 : Math.round(sum[part] / sum[3]);
    }
    pixels[at + 3] = Math.round(sum[3] / (SAMPLES * SAMPLES));
  }
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const header = Buffer.alloc(13);
header.writeUInt32BE(SIZE, 0);
header.writeUInt32BE(SIZE, 4);
// Eight bits a part; red, green, blue and opacity.
header.set([8, 6, 0, 0, 0], 8);
const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
const image = [signature, chunk("IHDR", header), chunk("IDAT", deflateSync(pixels, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
writeFileSync(join(dirname(fileURLToPath(import.meta.url)), "../icon.png"), Buffer.concat(image));
