//@ edition: 2024
//! Files that the program makes itself, in a folder of its own: text, positions, lengths, errors.
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IoSlice, IoSliceMut, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;

fn kind<T>(result: io::Result<T>) -> ErrorKind {
    result.err().map_or(ErrorKind::Other, |error| error.kind())
}

fn text_and_positions(path: &PathBuf) -> io::Result<()> {
    fs::write(path, "one\ntwo\n")?;
    println!("{:?} {:?}", fs::read_to_string(path)?, fs::read(path)?.len());
    let mut file = OpenOptions::new().append(true).open(path)?;
    writeln!(file, "three")?;
    file.write_all(b"four")?;
    println!("{} {}", file.metadata()?.len(), fs::metadata(path)?.len());
    let lines: Vec<_> = BufReader::new(File::open(path)?).lines().collect::<Result<_, _>>()?;
    println!("{lines:?}");
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    println!("{} {}", file.seek(SeekFrom::End(-4))?, file.stream_position()?);
    file.write_all(b"FOUR!")?;
    println!("{} {:?}", file.seek(SeekFrom::Start(4))?, file.seek(SeekFrom::Current(-100)).map_err(|it| it.kind()));
    let mut three = [0; 3];
    file.read_exact(&mut three)?;
    println!("{:?} {}", str::from_utf8(&three), file.stream_position()?);
    let mut rest = String::new();
    println!("{} {rest:?}", file.read_to_string(&mut rest)?);
    println!("{rest:?} {:?}", kind(file.read_exact(&mut three)));
    file.rewind()?;
    file.set_len(5)?;
    println!("{:?}", io::read_to_string(&file)?);
    file.set_len(8)?;
    println!("{:?} {:?}", io::read_to_string(&file)?, fs::read(path)?);
    file.seek(SeekFrom::Start(10))?;
    file.write_all(b"end")?;
    println!("{:?}", fs::read(path)?);
    let mut copy = file.try_clone()?;
    copy.seek(SeekFrom::Start(2))?;
    println!("{} {:?}", file.stream_position()?, kind(File::open(path)?.write_all(b"x")));
    println!("{:?}", kind(File::create(path)?.read(&mut three)));
    println!("{}", fs::metadata(path)?.len());
    file.sync_all()?;
    file.sync_data()
}

fn places_and_parts(path: &PathBuf) -> io::Result<()> {
    let mut file = File::options().read(true).write(true).create_new(true).open(path)?;
    println!("{:?}", kind(File::create_new(path)));
    println!("{}", file.write_at(b"0123456789", 0)?);
    println!("{} {}", file.write_at(b"ab", 4)?, file.stream_position()?);
    let mut part = [0; 4];
    println!("{} {:?}", file.read_at(&mut part, 3)?, str::from_utf8(&part));
    println!("{} {:?}", file.read_at(&mut part, 8)?, file.read_exact_at(&mut part, 8).map_err(|it| it.kind()));
    println!("{}", file.write_vectored(&[IoSlice::new(b"AB"), IoSlice::new(b""), IoSlice::new(b"CDE")])?);
    let (mut left, mut right) = ([0; 3], [0; 4]);
    file.rewind()?;
    println!("{}", file.read_vectored(&mut [IoSliceMut::new(&mut left), IoSliceMut::new(&mut right)])?);
    println!("{:?} {:?}", str::from_utf8(&left), str::from_utf8(&right));
    let big: Vec<u8> = (0..20_000u32).map(|it| (it % 251) as u8).collect();
    let mut out = BufWriter::new(File::create(path)?);
    for part in big.chunks(333) {
        out.write_all(part)?;
    }
    out.into_inner()?.sync_all()?;
    println!("{}", fs::read(path)? == big);
    let other = path.with_extension("copy");
    println!("{} {}", fs::copy(path, &other)?, fs::read(&other)? == big);
    println!("{}", io::copy(&mut (&big[..]).take(7), &mut File::create(&other)?)?);
    println!("{} {}", fs::metadata(&other)?.len(), fs::exists(&other)?);
    fs::remove_file(&other)?;
    println!("{} {:?} {:?}", other.exists(), kind(fs::remove_file(&other)), kind(File::open(&other)));
    Ok(())
}

fn locks_and_permissions(path: &PathBuf) -> io::Result<()> {
    let (one, two) = (File::open(path)?, File::open(path)?);
    one.lock()?;
    println!("{}", matches!(two.try_lock(), Err(TryLockError::WouldBlock)));
    println!("{}", matches!(two.try_lock_shared(), Err(TryLockError::WouldBlock)));
    one.unlock()?;
    two.lock_shared()?;
    println!("{:?} {}", one.try_lock_shared().is_ok(), matches!(one.try_lock(), Err(TryLockError::WouldBlock)));
    drop(two);
    println!("{:?}", one.try_lock().is_ok());
    let mut permissions = one.metadata()?.permissions();
    println!("{}", permissions.readonly());
    permissions.set_readonly(true);
    fs::set_permissions(path, permissions)?;
    println!("{} {}", fs::metadata(path)?.permissions().readonly(), one.metadata()?.is_file());
    Ok(())
}

fn main() -> io::Result<()> {
    let folder = std::env::temp_dir().join("tsvd-fidelity-files");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder)?;
    text_and_positions(&folder.join("a.txt"))?;
    places_and_parts(&folder.join("b.txt"))?;
    locks_and_permissions(&folder.join("b.txt"))?;
    // Open files outlive their names.
    let mut file = File::create_new(folder.join("gone"))?;
    fs::remove_file(folder.join("gone"))?;
    file.write_all(b"still there")?;
    println!("{} {}", file.metadata()?.len(), folder.join("gone").exists());
    fs::remove_dir_all(&folder)?;
    println!("{}", folder.exists());
    Ok(())
}
