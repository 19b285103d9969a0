use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Default)]
struct Site {
    pages: Mutex<Vec<String>>,
    links: Mutex<Vec<(usize, usize)>>,
    done: AtomicU32,
}

static SITE: LazyLock<Site> = LazyLock::new(Site::default);

fn add_page(name: &str) {
    let mut pages = SITE.pages.lock().unwrap();
    pages.push(name.to_string());
    let last = pages.len() - 1;
    SITE.links.lock().unwrap().push((0, last)); //~ deadlock
    SITE.done.fetch_add(1, Ordering::Relaxed);
}

fn check_links() -> usize {
    let links = SITE.links.lock().unwrap();
    let known = SITE.pages.lock().unwrap().len(); //~ deadlock
    SITE.done.fetch_add(1, Ordering::Relaxed);
    links.iter().filter(|&&(from, to)| from >= known || to >= known).count()
}

// The two background threads take the locks in opposite orders; `main` only gives them a second.
fn main() {
    thread::spawn(|| add_page("index"));
    thread::spawn(check_links);
    for _ in 0..10 {
        if SITE.done.load(Ordering::Relaxed) == 2 {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    println!("{}", SITE.done.load(Ordering::Relaxed) <= 2);
}
