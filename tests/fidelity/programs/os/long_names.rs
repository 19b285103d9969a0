//@ edition: 2024
//! Names and paths that are longer than the system takes, also behind symbolic links.
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::symlink;
use std::path::Path;

fn kind<T>(result: io::Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

fn names(folder: &Path) -> io::Result<Vec<usize>> {
    let mut lengths: Vec<_> = fs::read_dir(folder)?.map(|it| Ok(it?.file_name().len())).collect::<io::Result<_>>()?;
    lengths.sort_unstable();
    Ok(lengths)
}

fn main() -> io::Result<()> {
    let root = std::env::temp_dir().join("tsvd-fidelity-long-names");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir(&root)?;
    for len in [1, 255, 256, 300, 5000] {
        println!("file {len}: {:?}", kind(File::create(root.join("f".repeat(len)))));
        println!("folder {len}: {:?}", kind(fs::create_dir(root.join("d".repeat(len)))));
    }
    // A link leads to a name that is too long; only following it fails.
    println!("link: {:?}", kind(symlink("x".repeat(300), root.join("link"))));
    println!("behind it: {:?} {:?}", kind(File::create(root.join("link"))), kind(fs::metadata(root.join("link"))));
    println!("below it: {:?}", kind(File::create(root.join("link/file"))));
    println!("itself: {:?}", fs::read_link(root.join("link"))?.as_os_str().len());
    // And to a path that is.
    println!("long link: {:?}", kind(symlink("y/".repeat(3000), root.join("long"))));
    println!("as long as may be: {:?}", kind(symlink("z/".repeat(2047), root.join("longest"))));
    println!("behind it: {:?}", kind(File::open(root.join("longest"))));
    println!("{:?}", names(&root)?);
    fs::remove_dir_all(&root)
}
