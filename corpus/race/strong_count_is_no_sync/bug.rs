use std::sync::Arc;
use std::thread;

struct Image {
    pixels: [u8; 4],
}

fn sum(image: &Image) -> u32 {
    image.pixels.iter().map(|&pixel| u32::from(pixel)).sum() //~ data-race
}

fn clear_when_alone(image: &mut Arc<Image>) {
    while Arc::strong_count(image) > 1 {
        thread::yield_now();
    }
    let image = unsafe { &mut *Arc::as_ptr(image).cast_mut() };
    image.pixels[0] = 0; //~ data-race
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
