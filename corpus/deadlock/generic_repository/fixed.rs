use std::collections::BTreeMap;
use std::sync::{Arc, RwLock};
use std::thread;

trait Entity: Clone {
    fn id(&self) -> u32;
}

struct Repository<E> {
    rows: RwLock<BTreeMap<u32, E>>,
}

impl<E: Entity> Repository<E> {
    fn new(rows: impl IntoIterator<Item = E>) -> Self {
        Repository { rows: RwLock::new(rows.into_iter().map(|row| (row.id(), row)).collect()) }
    }

    fn with<R>(&self, id: u32, work: impl FnOnce(&mut E) -> R) -> Option<R> {
        self.rows.write().unwrap().get_mut(&id).map(work)
    }
}

#[derive(Clone)]
struct Author {
    id: u32,
    books: Vec<u32>,
}

#[derive(Clone)]
struct Book {
    id: u32,
    author: u32,
}

impl Entity for Author {
    fn id(&self) -> u32 {
        self.id
    }
}

impl Entity for Book {
    fn id(&self) -> u32 {
        self.id
    }
}

struct Library {
    authors: Repository<Author>,
    books: Repository<Book>,
}

impl Library {
    fn assign(&self, book: u32, author: u32) {
        self.authors.with(author, |author| {
            author.books.push(book);
            self.books.with(book, |book| book.author = author.id)
        });
    }

    fn forget(&self, book: u32) {
        let author = self.books.with(book, |book| book.author).unwrap_or(0);
        self.authors.with(author, |author| author.books.retain(|&it| it != book));
    }
}

// `with` keeps its repository locked while its closure locks the other one.
fn main() {
    let library = Arc::new(Library {
        authors: Repository::new([Author { id: 1, books: vec![7] }]),
        books: Repository::new([Book { id: 7, author: 1 }, Book { id: 8, author: 1 }]),
    });
    let other = Arc::clone(&library);
    let editor = thread::spawn(move || other.assign(8, 1));
    library.forget(7);
    editor.join().unwrap();
    println!("{:?}", library.authors.with(1, |author| author.books.clone()));
}
