//! Files, pipes, sockets, polling, time and random bytes by the functions of rustix, and by those of tempfile.

use rustix::fs::{self, CWD, Mode, OFlags};
use rustix::io;
use std::io::{Read, Write};
use std::os::fd::AsFd;

fn main() -> std::io::Result<()> {
    let root = std::env::temp_dir().join("tsvd-fidelity-rustix");
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir(&root)?;
    let folder = tempfile::tempdir_in(&root)?;
    let path = folder.path().join("a");
    let file = fs::openat(CWD, &path, OFlags::CREATE | OFlags::RDWR, Mode::RUSR | Mode::WUSR)?;
    println!("{}", io::write(&file, b"some text")?);
    fs::seek(&file, fs::SeekFrom::Start(5))?;
    let mut bytes = [0; 16];
    let count = io::read(&file, &mut bytes)?;
    println!("{:?}", std::str::from_utf8(&bytes[..count]));
    let stat = fs::fstat(&file)?;
    println!("{} {:?}", stat.st_size, fs::FileType::from_raw_mode(stat.st_mode));
    println!("{:?}", fs::statat(CWD, folder.path().join("missing"), fs::AtFlags::empty()).unwrap_err());
    fs::ftruncate(&file, 3)?;
    println!("{:?}", std::fs::read_to_string(&path)?);
    fs::flock(&file, fs::FlockOperation::NonBlockingLockExclusive)?;
    let other = std::fs::File::open(&path)?;
    println!("{:?}", fs::flock(&other, fs::FlockOperation::NonBlockingLockShared));
    fs::renameat(CWD, &path, CWD, folder.path().join("b"))?;
    fs::symlink("b", folder.path().join("c"))?;
    println!("{:?}", fs::readlinkat(CWD, folder.path().join("c"), Vec::new())?);
    let (reader, writer) = rustix::pipe::pipe()?;
    println!("{:?}", io::write(&writer, b"pipe"));
    let mut polled = [rustix::event::PollFd::new(&reader, rustix::event::PollFlags::IN)];
    println!("{:?} {:?}", rustix::event::poll(&mut polled, None), polled[0].revents());
    drop(writer);
    let mut text = String::new();
    std::fs::File::from(reader).read_to_string(&mut text)?;
    println!("{text}");
    let mut random = [0_u8; 32];
    println!("{} {}", rustix::rand::getrandom(&mut random, rustix::rand::GetRandomFlags::empty())?, random != [0; 32]);
    println!("{}", rustix::process::getpid().as_raw_nonzero().get() as u32 == std::process::id());
    let before = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    std::thread::sleep(std::time::Duration::from_millis(20));
    let after = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    println!("{}", after > before);
    println!("{}", rustix::param::page_size());
    let (one, two) = rustix::net::socketpair(
        rustix::net::AddressFamily::UNIX,
        rustix::net::SocketType::STREAM,
        rustix::net::SocketFlags::CLOEXEC,
        None,
    )?;
    rustix::net::send(&one, b"hello", rustix::net::SendFlags::empty())?;
    let mut got = [0_u8; 8];
    println!("{:?} {:?}", rustix::net::recv(&two, &mut got[..], rustix::net::RecvFlags::empty())?, &got[..5]);
    println!("{}", rustix::termios::isatty(file.as_fd()));
    let event = rustix::event::eventfd(1, rustix::event::EventfdFlags::NONBLOCK)?;
    let mut number = [0; 8];
    println!("{:?} {:?} {:?}", io::read(&event, &mut number), number, io::read(&event, &mut [0; 8]));
    let mut named = tempfile::NamedTempFile::new_in(folder.path())?;
    named.write_all(b"persisted")?;
    named.persist_noclobber(folder.path().join("d"))?;
    println!("{:?}", std::fs::read_to_string(folder.path().join("d"))?);
    let mut unnamed = tempfile::tempfile_in(&root)?;
    unnamed.write_all(b"x")?;
    println!("{}", unnamed.metadata()?.len());
    let mut names = Vec::new();
    for entry in fs::Dir::read_from(fs::openat(CWD, folder.path(), OFlags::RDONLY, Mode::empty())?)? {
        let entry = entry?;
        names.push((entry.file_name().to_owned(), entry.file_type()));
        if entry.file_type() == fs::FileType::RegularFile {
            fs::unlink(folder.path().join(entry.file_name().to_str().unwrap()))?;
        }
    }
    names.sort_by(|one, other| one.0.cmp(&other.0));
    println!("{names:?} {}", std::fs::read_dir(folder.path())?.count());
    let main = rustix::thread::gettid();
    let other = std::thread::spawn(rustix::thread::gettid).join().unwrap();
    println!("{} {}", main == rustix::process::getpid(), main == other);
    drop(folder);
    std::fs::remove_dir(&root)
}
