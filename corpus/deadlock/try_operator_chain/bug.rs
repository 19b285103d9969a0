use std::fmt;
use std::sync::{Arc, Mutex};

#[derive(Debug)]
enum Error {
    Poisoned,
    Missing(u32),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Poisoned => write!(f, "poisoned"),
            Error::Missing(id) => write!(f, "no document {id}"),
        }
    }
}

impl std::error::Error for Error {}

struct Document {
    id: u32,
    links: Vec<u32>,
}

#[derive(Clone, Default)]
struct Library {
    documents: Arc<Mutex<Vec<Document>>>,
}

impl Library {
    fn position(&self, id: u32) -> Result<usize, Error> {
        let documents = self.documents.lock().map_err(|_| Error::Poisoned)?; //~ deadlock
        documents.iter().position(|it| it.id == id).ok_or(Error::Missing(id))
    }

    fn link(&self, from: u32, to: u32) -> Result<(), Error> {
        let from = self.position(from)?;
        self.documents.lock().map_err(|_| Error::Poisoned)?[from].links.push(self.position(to)? as u32);
        Ok(())
    }
}

// The guard that `?` unwraps in the receiver is alive while the argument locks again.
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = Library::default();
    for id in [7, 9] {
        library.documents.lock().unwrap().push(Document { id, links: Vec::new() });
    }
    println!("{}", library.link(7, 8).unwrap_err());
    library.link(7, 9)?;
    println!("{:?}", library.documents.lock().unwrap()[0].links);
    Ok(())
}
