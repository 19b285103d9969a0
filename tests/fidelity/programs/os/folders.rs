//@ edition: 2024
//! Folders that the program makes itself: what is in them, renaming, links, errors; and pipes.
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::Path;
use std::thread;

fn kind<T>(result: io::Result<T>) -> Option<ErrorKind> {
    result.err().map(|error| error.kind())
}

fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entry = |entry: io::Result<fs::DirEntry>| {
        let entry = entry?;
        let what = if entry.file_type()?.is_dir() { "/" } else { "" };
        let size = if entry.metadata()?.is_file() { entry.metadata()?.len() } else { 0 };
        Ok(format!("{}{what} {size}", entry.file_name().display()))
    };
    let mut names: Vec<_> = fs::read_dir(folder)?.map(entry).collect::<io::Result<_>>()?;
    names.sort();
    Ok(names)
}

fn making_and_removing(root: &Path) -> io::Result<()> {
    println!("{:?}", kind(fs::create_dir(root.join("a/b"))));
    fs::create_dir_all(root.join("a/b/c"))?;
    println!("{:?} {:?}", kind(fs::create_dir(root.join("a"))), kind(fs::create_dir_all(root.join("a/b"))));
    fs::write(root.join("a/text"), "some text")?;
    fs::write(root.join("a/b/more"), "")?;
    println!("{:?} {:?} {:?}", names(root)?, names(&root.join("a"))?, names(&root.join("a/b/c"))?);
    println!("{:?} {:?}", kind(names(&root.join("x"))), kind(names(&root.join("a/text"))));
    println!("{:?} {:?}", kind(fs::remove_dir(root.join("a/b"))), kind(fs::remove_file(root.join("a/b"))));
    println!("{:?} {:?}", kind(fs::remove_dir(root.join("a/text"))), kind(fs::remove_dir(root.join("y"))));
    println!("{:?} {:?}", kind(File::open(root.join("a/text/x"))), kind(File::create(root.join("z/x"))));
    println!("{:?} {:?}", kind(File::create(root.join("a/b"))), kind(fs::read_to_string(root.join("a/b"))));
    println!("{:?}", kind(fs::create_dir_all(root.join("a/text/sub"))));
    fs::remove_dir(root.join("a/b/c"))?;
    println!("{:?}", names(&root.join("a/b"))?);
    Ok(())
}

fn renaming(root: &Path) -> io::Result<()> {
    fs::rename(root.join("a"), root.join("moved"))?;
    println!("{} {:?}", root.join("a").exists(), fs::read_to_string(root.join("moved/text"))?);
    println!("{:?} {:?}", kind(fs::rename(root.join("a"), root.join("q"))), names(&root.join("moved/b"))?);
    fs::write(root.join("other"), "other text")?;
    println!("{:?}", kind(fs::rename(root.join("other"), root.join("moved"))));
    println!("{:?}", kind(fs::rename(root.join("moved"), root.join("other"))));
    println!("{:?}", kind(fs::rename(root.join("moved"), root.join("moved/b/inner"))));
    fs::rename(root.join("other"), root.join("moved/text"))?;
    println!("{:?} {:?}", fs::read_to_string(root.join("moved/text"))?, names(root)?);
    Ok(())
}

fn links(root: &Path) -> io::Result<()> {
    let (one, two) = (root.join("one"), root.join("two"));
    fs::write(&one, "linked")?;
    fs::hard_link(&one, &two)?;
    println!("{} {}", fs::metadata(&one)?.nlink(), fs::metadata(&one)?.ino() == fs::metadata(&two)?.ino());
    fs::remove_file(&one)?;
    println!("{:?} {}", fs::read_to_string(&two)?, fs::metadata(&two)?.nlink());
    symlink("two", root.join("soft"))?;
    symlink("nowhere", root.join("lost"))?;
    println!("{:?} {:?}", fs::read_to_string(root.join("soft"))?, fs::read_link(root.join("soft"))?);
    println!("{} {:?}", root.join("lost").exists(), fs::symlink_metadata(root.join("lost"))?.is_symlink());
    println!("{:?} {:?}", kind(fs::read_link(&two)), kind(fs::hard_link(&two, root.join("soft"))));
    println!("{}", fs::canonicalize(root.join("moved/../soft"))? == fs::canonicalize(&two)?);
    fs::remove_file(root.join("soft"))?;
    println!("{:?}", names(root)?);
    Ok(())
}

fn pipes() -> io::Result<()> {
    let (mut from, mut to) = io::pipe()?;
    to.write_all(b"hello ")?;
    let mut again = to.try_clone()?;
    let writer = thread::spawn(move || {
        for part in ["from ", "another ", "thread"] {
            again.write_all(part.as_bytes())?;
        }
        io::Result::Ok(())
    });
    drop(to);
    let mut start = [0; 6];
    from.read_exact(&mut start)?;
    println!("{:?}", str::from_utf8(&start));
    println!("{:?}", io::read_to_string(&from)?);
    writer.join().unwrap()?;
    let (from, mut to) = io::pipe()?;
    drop(from);
    println!("{:?}", kind(to.write(b"x")));
    // More than fits at once.
    let (from, mut to) = io::pipe()?;
    let writer = thread::spawn(move || to.write_all(&vec![7; 200_000]));
    println!("{}", io::Read::bytes(from).map_while(Result::ok).filter(|it| *it == 7).count());
    writer.join().unwrap()
}

fn main() -> io::Result<()> {
    let root = std::env::temp_dir().join("tsvd-fidelity-folders");
    let _ = fs::remove_dir_all(&root);
    fs::create_dir(&root)?;
    making_and_removing(&root)?;
    renaming(&root)?;
    links(&root)?;
    std::env::set_current_dir(&root)?;
    println!("{} {:?}", std::env::current_dir()? == fs::canonicalize(&root)?, names(Path::new("."))?);
    fs::write("here", "in the working folder")?;
    println!("{}", root.join("here").exists());
    fs::remove_dir_all(&root)?;
    println!("{}", root.exists());
    pipes()
}
