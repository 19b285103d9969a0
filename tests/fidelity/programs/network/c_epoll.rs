//! `epoll`: level and edge, once only, changed and removed, nested in others.
use std::ffi::c_int;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::Duration;

#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Event {
    events: u32,
    data: u64,
}

unsafe extern "C" {
    fn epoll_create1(flags: c_int) -> c_int;
    fn epoll_ctl(epoll: c_int, what: c_int, descriptor: c_int, event: *mut Event) -> c_int;
    fn epoll_wait(epoll: c_int, events: *mut Event, count: c_int, milliseconds: c_int) -> c_int;
}

const ADD: c_int = 1;
const DEL: c_int = 2;
const MOD: c_int = 3;
const IN: u32 = 1;
const OUT: u32 = 4;
const HUP: u32 = 0x10;
const RDHUP: u32 = 0x2000;
const ONESHOT: u32 = 1 << 30;
const EDGE: u32 = 1 << 31;

struct Epoll(OwnedFd);

impl Epoll {
    fn new() -> Epoll {
        // SAFETY: a new descriptor, which nobody else owns.
        Epoll(unsafe { OwnedFd::from_raw_fd(epoll_create1(0o2000000)) })
    }

    fn control(&self, what: c_int, on: &impl AsRawFd, events: u32, data: u64) -> Result<(), Option<i32>> {
        let mut event = Event { events, data };
        // SAFETY: the event lives through the call.
        match unsafe { epoll_ctl(self.0.as_raw_fd(), what, on.as_raw_fd(), &mut event) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error().raw_os_error()),
        }
    }

    fn wait(&self, milliseconds: c_int) -> Vec<(u64, String)> {
        let mut events = [Event { events: 0, data: 0 }; 8];
        // SAFETY: the array has eight elements.
        let count = unsafe { epoll_wait(self.0.as_raw_fd(), events.as_mut_ptr(), 8, milliseconds) };
        let mut found: Vec<_> = events[..count as usize].iter().map(|it| (it.data, names(it.events))).collect();
        found.sort();
        found
    }
}

fn names(events: u32) -> String {
    let known = [(IN, "in"), (OUT, "out"), (HUP, "hup"), (RDHUP, "rdhup")];
    known.iter().filter(|(bit, _)| events & bit != 0).map(|(_, name)| *name).collect::<Vec<_>>().join("+")
}

fn main() -> io::Result<()> {
    let epoll = Epoll::new();
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(5));
    let (mut left, mut right) = UnixStream::pair()?;

    // Level: as long as there is something.
    println!("{:?} {:?}", epoll.control(ADD, &left, IN, 1), epoll.control(ADD, &left, IN, 1));
    right.write_all(b"abc")?;
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(-1));
    left.read_exact(&mut [0])?;
    println!("{:?}", epoll.wait(0));
    left.read_exact(&mut [0; 2])?;
    println!("{:?}", epoll.wait(0));

    // Edge: when something new comes.
    println!("{:?}", epoll.control(MOD, &left, IN | EDGE, 2));
    right.write_all(b"abc")?;
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(0));
    right.write_all(b"d")?;
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(0));
    println!("{:?}", epoll.control(MOD, &left, IN | OUT | EDGE, 3));
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(0));

    // Once, and armed again.
    println!("{:?}", epoll.control(MOD, &left, IN | ONESHOT, 4));
    println!("{:?} {:?}", epoll.wait(0), epoll.wait(0));
    println!("{:?} {:?}", epoll.control(MOD, &left, IN | ONESHOT, 5), epoll.wait(0));

    // Two sockets, one of them writable; one epoll in another.
    println!("{:?}", epoll.control(ADD, &right, OUT, 6));
    println!("{:?}", epoll.wait(0));
    let outer = Epoll::new();
    println!("{:?} {:?}", outer.control(ADD, &epoll.0, IN, 7), outer.wait(0));
    println!("{:?} {:?}", epoll.control(DEL, &right, 0, 0), epoll.control(DEL, &right, 0, 0));
    println!("{:?} {:?}", epoll.wait(0), outer.wait(0));

    // A thread makes it ready; closing says so and takes the registration away.
    left.read_exact(&mut [0; 4])?;
    println!("{:?}", epoll.control(MOD, &left, IN | RDHUP, 8));
    let writer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(5));
        right.write_all(b"!").unwrap();
        right
    });
    println!("{:?}", epoll.wait(-1));
    drop(writer.join().unwrap());
    println!("{:?}", epoll.wait(-1));
    drop(left);
    println!("{:?}", epoll.wait(0));
    println!("{:?}", epoll.control(ADD, &-1, IN, 9));
    println!("{:?}", epoll.control(ADD, &epoll.0, IN, 9));

    // Each watches the one before; no circle, and no long chain.
    let chain: Vec<Epoll> = (0..7).map(|_| Epoll::new()).collect();
    println!("{:?}", chain.windows(2).map(|it| it[1].control(ADD, &it[0].0, IN, 1)).collect::<Vec<_>>());
    println!("{:?} {:?}", chain[0].control(ADD, &chain[1].0, IN, 1), chain[0].control(ADD, &chain[4].0, IN, 1));
    println!("{:?} {:?}", chain[4].control(ADD, &chain[0].0, IN, 1), chain[4].control(ADD, &chain[5].0, IN, 1));
    let (reader, mut writer) = io::pipe()?;
    println!("{:?} {:?}", chain[0].control(ADD, &reader, IN, 2), chain[4].wait(0));
    writer.write_all(b"!")?;
    println!("{:?} {:?}", chain[4].wait(0), chain[0].wait(0));
    Ok(())
}
