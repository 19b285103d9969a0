use std::sync::{Arc, Mutex};
use std::thread;

struct Image {
    pixels: Vec<u8>,
}

struct Row {
    start: *mut u8,
    length: usize,
}

unsafe impl Send for Row {}

impl Row {
    fn brighten(&self, by: u8) {
        for at in 0..self.length {
            unsafe { *self.start.add(at) = (*self.start.add(at)).saturating_add(by) };
        }
    }
}

fn row(image: &Mutex<Image>, start: usize, length: usize) -> Row {
    let mut image = image.lock().unwrap();
    Row { start: image.pixels[start..start + length].as_mut_ptr(), length }
}

fn histogram(image: &Mutex<Image>) -> [usize; 4] {
    let mut bins = [0; 4];
    for pixel in &image.lock().unwrap().pixels {
        bins[usize::from(*pixel / 64)] += 1;
    }
    bins
}

// The pointer into the image was made under the lock and is used after it.
fn main() {
    let image = Arc::new(Mutex::new(Image { pixels: vec![60; 8] }));
    let filter = {
        let image = image.clone();
        thread::spawn(move || {
            let row = row(&image, 4, 4);
            let _held = image.lock().unwrap();
            row.brighten(10);
        })
    };
    println!("{}", histogram(&image).iter().sum::<usize>());
    filter.join().unwrap();
}
