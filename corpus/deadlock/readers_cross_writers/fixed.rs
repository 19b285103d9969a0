use std::sync::RwLock;
use std::thread;

#[derive(Default)]
struct Catalogue {
    titles: RwLock<Vec<String>>,
    prices: RwLock<Vec<u32>>,
}

impl Catalogue {
    fn by_title(&self, title: &str) -> Option<u32> {
        let titles = self.titles.read().unwrap();
        let at = titles.iter().position(|it| it == title)?;
        self.prices.read().unwrap().get(at).copied()
    }

    fn add(&self, title: &str, price: u32) {
        let mut titles = self.titles.write().unwrap();
        self.prices.write().unwrap().push(price);
        titles.push(title.to_string());
    }
}

fn quote(catalogue: &Catalogue, title: &str) -> String {
    match catalogue.by_title(title) {
        Some(price) => format!("{title}: {price}"),
        None => format!("{title}: not sold"),
    }
}

// Readers take titles before prices, the writer prices before titles.
fn main() {
    let catalogue = Catalogue::default();
    catalogue.add("atlas", 30);
    thread::scope(|scope| {
        scope.spawn(|| println!("{}", quote(&catalogue, "atlas")));
        scope.spawn(|| catalogue.add("novel", 12));
    });
    println!("{}", quote(&catalogue, "novel"));
}
