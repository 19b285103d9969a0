use std::sync::RwLock;

struct Playlist {
    songs: RwLock<Vec<(u32, &'static str)>>,
    banned: RwLock<Vec<u32>>,
}

impl Playlist {
    fn ban(&self, song: u32) -> bool {
        let mut songs = self.songs.write().unwrap();
        songs.retain(|(number, _)| *number != song);
        self.banned.write().unwrap().push(song);
        true
    }

    fn clean_up(&self) -> usize {
        let songs = self.songs.read().unwrap().clone();
        songs.iter().filter(|(number, title)| title.is_empty() && self.ban(*number)).count()
    }
}

// The filter's closure changes the list that is read while it runs.
fn main() {
    let playlist = Playlist { songs: RwLock::new(vec![(1, "blue"), (2, ""), (3, "green")]), banned: RwLock::default() };
    println!("{} removed, {:?} banned", playlist.clean_up(), playlist.banned.read().unwrap());
}
