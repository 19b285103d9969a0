// `write!` into strings, vectors, cursors and buffered writers; `Read`, `BufRead` and `Seek` over memory.
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, BufWriter, Cursor, IoSlice, LineWriter, Read, Seek, SeekFrom, Write};
struct Slow(Vec<u8>, usize);
impl Write for Slow {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> { let n = data.len().min(self.1); self.0.extend(&data[..n]); if self.0.len() > 40 { return Err(io::Error::other("full")) } Ok(n) }
    fn flush(&mut self) -> io::Result<()> { self.0.push(b'|'); Ok(()) }
}
struct Chunks<'a>(&'a [u8], usize, bool);
impl Read for Chunks<'_> { fn read(&mut self, out: &mut [u8]) -> io::Result<usize> { if std::mem::replace(&mut self.2, false) { return Err(io::ErrorKind::Interrupted.into()) } let n = self.0.len().min(self.1).min(out.len()); out[..n].copy_from_slice(&self.0[..n]); self.0 = &self.0[n..]; Ok(n) } }
fn main() -> io::Result<()> {
    let mut text = String::new(); write!(text, "{:>4}|", 5).unwrap(); writeln!(text, "{:?}", [1.5]).unwrap(); text.write_char('é').unwrap(); println!("{text:?}");
    let mut bytes = vec![]; write!(bytes, "{}-{:x}", 1, 255)?; bytes.write_all(b"!")?; println!("{:?} {:?}", String::from_utf8_lossy(&bytes).into_owned(), bytes.write_vectored(&[IoSlice::new(b"a"), IoSlice::new(b"bc")])?);
    let mut array = [0; 4]; { let mut out = &mut array[..]; println!("{:?} {:?}", out.write(b"abc")?, write!(out, "de").map_err(|e| (e.kind(), e.to_string()))); } println!("{array:?}");
    let mut slow = Slow(vec![], 3); write!(slow, "{} {}", "hello", 12345)?; println!("{:?}", String::from_utf8_lossy(&slow.0)); println!("{:?}", slow.write_all(&[b'x'; 50]).map_err(|e| e.to_string()));
    let mut buffered = BufWriter::with_capacity(8, Slow(vec![], 100)); buffered.write_all(b"abc")?; buffered.write_all(b"def")?; print!("{:?} {} ", buffered.get_ref().0.len(), buffered.buffer().len()); buffered.write_all(b"ghijklmnop")?; print!("{} ", buffered.get_ref().0.len()); buffered.flush()?; println!("{:?}", String::from_utf8_lossy(&buffered.into_inner().map_err(|e| e.into_error())?.0));
    let mut lines = LineWriter::new(Slow(vec![], 100)); lines.write_all(b"one\ntw")?; print!("{:?} ", lines.get_ref().0.len()); lines.write_all(b"o\n")?; println!("{:?}", lines.get_ref().0.len());
    let mut cursor = Cursor::new(vec![0u8; 3]); cursor.seek(SeekFrom::End(1))?; cursor.write_all(&[7, 8])?; cursor.set_position(1); cursor.write_all(&[9])?; println!("{:?} {:?} {:?}", cursor.get_ref().clone(), cursor.position(), cursor.seek(SeekFrom::Current(-5)).map_err(|e| e.kind()));
    let data = "first line\nsecond\r\n\nlast é"; let mut reader = BufReader::with_capacity(4, Chunks(data.as_bytes(), 3, true));
    let mut line = String::new(); println!("{} {line:?}", reader.read_line(&mut line)?); println!("{line:?} {:?}", reader.by_ref().lines().collect::<Result<Vec<_>, _>>()?);
    let mut r = data.as_bytes(); let mut four = [0; 4]; r.read_exact(&mut four)?; println!("{:?} {:?}", std::str::from_utf8(&four), r.read_until(b'o', &mut bytes)?); println!("{:?}", String::from_utf8_lossy(&bytes));
    println!("{:?} {:?}", Cursor::new("a,b,,c").split(b',').map(|p| p.map(|p| p.len())).collect::<Result<Vec<_>, _>>()?, Cursor::new(data).take(7).bytes().count());
    let mut all = String::new(); (&b"ab"[..]).chain(&b"cd"[..]).read_to_string(&mut all)?; println!("{all} {:?}", (&b"\xff"[..]).read_to_string(&mut all).map_err(|e| (e.kind(), e.to_string())));
    println!("{:?} {:?}", (&b"abc"[..]).read_exact(&mut [0; 5]).map_err(|e| (e.kind(), e.to_string())), io::copy(&mut Chunks(b"copied", 2, true), &mut io::sink())?);
    println!("{:?} {:?}", io::read_to_string(Chunks(b"rest", 1, false))?, io::empty().read(&mut [0; 2])?); let mut three = [1; 3]; io::repeat(5).read_exact(&mut three)?; println!("{three:?}");
    for e in [io::Error::new(io::ErrorKind::NotFound, "gone"), io::ErrorKind::TimedOut.into(), io::Error::other(std::fmt::Error)] { println!("{e} | {e:?} | {:?} {:?} {}", e.kind(), e.raw_os_error(), e.get_ref().is_some()) }
    let stdout = io::stdout(); let mut lock = stdout.lock(); lock.write_all(b"locked\n")?; writeln!(lock, "{}", 1)?; drop(lock); io::stderr().write_all(b"to stderr\n")?;
    Err(io::Error::new(io::ErrorKind::InvalidData, "the end"))
}
