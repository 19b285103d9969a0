use std::sync::Arc;
use std::thread;

struct Image {
    pixels: [u8; 4],
}

fn sum(image: &Image) -> u32 {
    image.pixels.iter().map(|&pixel| u32::from(pixel)).sum()
}

fn clear_when_alone(image: &mut Arc<Image>) {
    let image = loop {
        match Arc::get_mut(image) {
            Some(image) => break image,
            None => thread::yield_now(),
        }
    };
    image.pixels[0] = 0;
}

// `strong_count` is a relaxed load, so being alone is no promise that the others' reads are over.
fn main() {
    let mut image = Arc::new(Image { pixels: [1, 2, 3, 4] });
    let viewer = {
        let image = Arc::clone(&image);
        thread::spawn(move || sum(&image))
    };
    clear_when_alone(&mut image);
    println!("{} {}", viewer.join().unwrap(), image.pixels[0]);
}
