use std::thread;

struct SendPtr<T>(*mut T);

unsafe impl<T> Send for SendPtr<T> {}

impl<T> Clone for SendPtr<T> {
    fn clone(&self) -> Self {
        SendPtr(self.0)
    }
}

impl<T> SendPtr<T> {
    fn get(&self) -> *mut T {
        self.0
    }
}

struct Picture {
    width: usize,
    pixels: Vec<u8>,
}

impl Picture {
    fn brighten(&mut self, rows: usize) {
        let width = self.width;
        let pixels = SendPtr(self.pixels.as_mut_ptr());
        thread::scope(|scope| {
            for row in 0..rows {
                let pixels = pixels.clone();
                scope.spawn(move || {
                    for x in 0..width {
                        unsafe { *pixels.get().add(row * width + x) += 1 }
                    }
                });
            }
        });
    }
}

// The last pixel of a row is the first one of the next, and both threads brighten it.
fn main() {
    let mut picture = Picture { width: 2, pixels: vec![10; 6] };
    picture.brighten(2);
    println!("{:?}", &picture.pixels[..4]);
}
