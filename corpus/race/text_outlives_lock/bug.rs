use std::sync::{Arc, Mutex};
use std::{mem, thread};

struct Title {
    text: Mutex<[u8; 8]>,
}

impl Title {
    fn view(&self) -> &[u8] {
        let text = self.text.lock().unwrap();
        unsafe { mem::transmute::<&[u8], &[u8]>(&text[..]) }
    }

    fn set(&self, text: &[u8]) {
        let mut own = self.text.lock().unwrap();
        own[..text.len()].copy_from_slice(text); //~ data-race
    }
}

// The view is a reference that was stretched beyond the guard that it came from.
fn main() {
    let title = Arc::new(Title { text: Mutex::new(*b"untitled") });
    let editor = thread::spawn({
        let title = title.clone();
        move || title.set(b"report")
    });
    let view = title.view();
    let count = view.iter().filter(|&&byte| byte == b't').count(); //~ data-race
    editor.join().unwrap();
    println!("{}", count <= 2);
}
