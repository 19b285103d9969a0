use std::sync::{Arc, Weak};
use std::thread;

struct Album {
    photos: Vec<String>,
}

// `get_mut` and `try_unwrap` give the content only to the last owner, after the others let go.
fn main() {
    let mut album = Arc::new(Album { photos: vec!["sea".to_string()] });
    let watcher: Weak<Album> = Arc::downgrade(&album);
    let viewer = {
        let album = album.clone();
        thread::spawn(move || album.photos.len())
    };
    if let Some(alone) = Arc::get_mut(&mut album) {
        alone.photos.push("beach".to_string());
    }
    println!("{}", viewer.join().unwrap());
    drop(watcher);
    let mut album = Arc::try_unwrap(album).ok().unwrap();
    album.photos.push("hill".to_string());
    println!("{}", album.photos.len() >= 2);
}
