use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};
use std::thread;

struct Texture {
    pixels: Vec<u8>,
}

#[derive(Default)]
struct Textures {
    loaded: Mutex<HashMap<String, Weak<Texture>>>,
}

impl Textures {
    fn get(&self, name: &str) -> Arc<Texture> {
        let mut loaded = self.loaded.lock().unwrap();
        if let Some(texture) = loaded.get(name).and_then(Weak::upgrade) {
            return texture;
        }
        let texture = Arc::new(Texture { pixels: name.bytes().collect() });
        loaded.insert(name.to_string(), Arc::downgrade(&texture));
        texture
    }

    fn sweep(&self) -> usize {
        let mut loaded = self.loaded.lock().unwrap();
        loaded.retain(|_, texture| texture.strong_count() > 0);
        loaded.len()
    }
}

// The last user may free a texture while the map still has its weak handle, which then upgrades no more.
fn main() {
    let textures = Arc::new(Textures::default());
    let painters = [(); 2].map(|()| {
        let textures = textures.clone();
        thread::spawn(move || {
            let grass = textures.get("grass");
            let stone = textures.get("stone");
            grass.pixels.len() + stone.pixels.len()
        })
    });
    textures.sweep();
    let sum: usize = painters.into_iter().map(|painter| painter.join().unwrap()).sum();
    println!("{sum} {}", textures.sweep());
}
