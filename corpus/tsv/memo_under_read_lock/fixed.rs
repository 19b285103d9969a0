use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::sync::{Arc, RwLock};
use std::thread;

struct Glyphs {
    font: String,
    widths: UnsafeCell<HashMap<char, u32>>,
}

unsafe impl Sync for Glyphs {}

impl Glyphs {
    fn width(&self, glyph: char) -> u32 {
        let widths = unsafe { &mut *self.widths.get() };
        *widths.entry(glyph).or_insert_with(|| self.font.len() as u32 + glyph as u32 % 7)
    }
}

fn measure(glyphs: &RwLock<Glyphs>, text: &str) -> u32 {
    let glyphs = glyphs.write().unwrap();
    text.chars().map(|glyph| glyphs.width(glyph)).sum()
}

// The widths are remembered under the read lock, so two readers can insert at once.
fn main() {
    let glyphs = Glyphs { font: "serif".to_string(), widths: UnsafeCell::default() };
    let glyphs = Arc::new(RwLock::new(glyphs));
    let layout = {
        let glyphs = glyphs.clone();
        thread::spawn(move || measure(&glyphs, "title"))
    };
    let body = measure(&glyphs, "text");
    println!("{}", body + layout.join().unwrap());
}
