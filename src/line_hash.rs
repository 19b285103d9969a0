//! Hashes of lines as GitHub's upload action computes them, so that an alert keeps its identity when lines are added above it.
//!
//! A rolling hash of the 100 non-blank characters from a line's start (`primaryLocationLineHash`), then a colon and how
//! often the file has had this hash so far.

use rustc_hash::FxHashMap;

/// How many characters a hash covers.
const WINDOW: usize = 100;
/// The multiplier of the rolling hash.
const FACTOR: u64 = 37;
/// Follows the last character of a file.
const END: u64 = 0xffff;

/// The hashes of a file's lines.
pub(crate) struct LineHashes(Vec<String>);

impl LineHashes {
    /// Hashes the lines of a text.
    pub(crate) fn of(text: &str) -> LineHashes {
        let mut roller = Roller::new();
        let mut is_line_start = true;
        let mut is_after_cr = false;
        for unit in text.encode_utf16().map(u64::from) {
            let (space, tab, cr, lf) = (0x20, 0x09, 0x0d, 0x0a);
            let is_skipped = unit == space || unit == tab || is_after_cr && unit == lf;
            is_after_cr = !is_skipped && unit == cr;
            if !is_skipped {
                let unit = if unit == cr { lf } else { unit };
                roller.push(unit, is_line_start);
                is_line_start = unit == lf;
            }
        }
        roller.push(END, is_line_start);
        roller.finish()
    }

    /// The hash of a line, counted from 1.
    pub(crate) fn line(&self, line: u32) -> Option<String> {
        self.0.get((line as usize).checked_sub(1)?).cloned()
    }
}

/// The last characters and their hash.
struct Roller {
    units: [u64; WINDOW],
    /// Whether a line starts at the character.
    starts: [bool; WINDOW],
    next: usize,
    hash: u64,
    /// `FACTOR` to the power of [`WINDOW`].
    oldest_factor: u64,
    counts: FxHashMap<u64, u32>,
    lines: Vec<String>,
}

impl Roller {
    fn new() -> Roller {
        Roller {
            units: [0; WINDOW],
            starts: [false; WINDOW],
            next: 0,
            hash: 0,
            oldest_factor: (0..WINDOW).fold(1, |power: u64, _| power.wrapping_mul(FACTOR)),
            counts: FxHashMap::default(),
            lines: Vec::new(),
        }
    }

    fn push(&mut self, unit: u64, is_line_start: bool) {
        // The window begins with a line now.
        if self.starts[self.next] {
            let count = self.counts.entry(self.hash).or_default();
            *count += 1;
            self.lines.push(format!("{:x}:{count}", self.hash));
        }
        self.starts[self.next] = is_line_start;
        let oldest = std::mem::replace(&mut self.units[self.next], unit);
        let shifted = self.hash.wrapping_mul(FACTOR).wrapping_add(unit);
        self.hash = shifted.wrapping_sub(self.oldest_factor.wrapping_mul(oldest));
        self.next = (self.next + 1) % WINDOW;
    }

    fn finish(mut self) -> LineHashes {
        (0..WINDOW).for_each(|_| self.push(0, false));
        LineHashes(self.lines)
    }
}

#[cfg(test)]
mod tests {
    use super::LineHashes;

    /// Hashes that the upload action's own documentation of its behaviour, its tests, expects.
    #[test]
    fn hashes_are_the_upload_actions() {
        let hashes = |text: &str| LineHashes::of(text).0;
        assert_eq!(hashes(""), ["c129715d7a2bc9a3:1"]);
        let four = ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"];
        for text in [" a\nb\n  \t\tc\n d", " a\r\nb\r\n  \t\tc\r\n d", " a\rb\r  \t\tc\r d"] {
            assert_eq!(hashes(text), four, "{text:?}");
        }
        let mut same = LineHashes::of("x = 2\nx = 1\nprint(x)\nx = 3\nprint(x)\nx = 4\nprint(x)\n").0;
        same.dedup();
        assert_eq!(same.len(), 8);
    }

    #[test]
    fn blank_lines_above_do_not_change_a_hash() {
        let code = "let a = lock.lock();\nlet b = other.lock();\n";
        let moved = LineHashes::of(&format!("\n// a comment\n{code}"));
        assert_eq!(moved.line(3), LineHashes::of(code).line(1));
        assert_eq!((moved.line(0), moved.line(9)), (None, None));
    }
}
