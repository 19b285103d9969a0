//! The memory guard: a thread that watches the process's memory and stops exploration before the machine's is
//! exhausted.
//!
//! Nothing is killed: current items are stopped, and what was found so far is reported.

use analyzer::budget::{self, Bytes, Memory};
use std::{fs, str::FromStr, thread, time::Duration};

/// Time between checks. A thread allocates some ten megabytes in this time.
const EVERY: Duration = Duration::from_millis(50);

/// A number of bytes, as `4GB` or `512MB`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size(pub(crate) u64);

const UNITS: [(&str, u64); 8] = [
    ("KB", 1 << 10),
    ("MB", 1 << 20),
    ("GB", 1 << 30),
    ("TB", 1 << 40),
    ("K", 1 << 10),
    ("M", 1 << 20),
    ("G", 1 << 30),
    ("T", 1 << 40),
];

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let upper = text.to_ascii_uppercase();
        // `GiB` is the same here.
        let upper = upper.strip_suffix("IB").map_or(upper.clone(), |number| format!("{number}B"));
        let unit = UNITS.iter().find_map(|(unit, bytes)| Some((upper.strip_suffix(unit)?.trim_end(), *bytes)));
        let wrong = || "expected a number with KB, MB, GB or TB, such as 4GB or 512MB".to_owned();
        let (number, unit) = unit.ok_or_else(wrong)?;
        let number: u64 = number.parse().map_err(|_| wrong())?;
        number.checked_mul(unit).filter(|bytes| *bytes > 0).map(Size).ok_or_else(wrong)
    }
}

/// Watches the memory of this process from now on. The default limit is three quarters of the machine's memory, or of
/// the process's limit. False if memory cannot be watched here.
pub(crate) fn watch(limit: Option<Size>) -> bool {
    let Some(limit) = limit.or_else(default_limit) else { return false };
    if used().is_none() {
        return false;
    }
    if budget::set_memory_limit(Bytes(limit.0)).is_none() {
        // Without `/proc` or the thread nothing is watched.
        let started = thread::Builder::new().name("memory".to_owned()).spawn(|| {
            loop {
                if let (Some(used), Some(Bytes(limit))) = (used(), budget::memory_limit()) {
                    // Stopped items free their memory slowly; the next item starts once some of it is free.
                    let is_out = if budget::is_out_of_memory() { used > limit / 8 * 7 } else { used > limit };
                    budget::set_memory(if is_out { Memory::Exhausted } else { Memory::Available });
                }
                thread::sleep(EVERY);
            }
        });
        return started.is_ok();
    }
    true
}

/// Resident memory of this process, in bytes.
pub(crate) fn used() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// A line of a file such as `/proc/meminfo`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

fn default_limit() -> Option<Size> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let most = group_limits(&groups, &|path| fs::read_to_string(path).ok()).min().unwrap_or(machine);
    Some(Size(most.min(machine) / 4 * 3))
}

/// The memory limits of a process's control groups and their parents.
fn group_limits<'a>(groups: &'a str, read: &'a dyn Fn(&str) -> Option<String>) -> impl Iterator<Item = u64> + 'a {
    groups.lines().flat_map(move |line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (folder, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            names if names.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let around = std::iter::successors(Some(path.trim_end_matches('/')), |path| Some(path.rsplit_once('/')?.0));
        around.filter_map(|path| read(&format!("{folder}{path}/{file}"))?.trim().parse().ok()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let bytes = |text: &str| text.parse::<Size>().map(|it| it.0).ok();
        assert_eq!(bytes("4GB"), Some(4 << 30));
        assert_eq!(bytes("512mb"), Some(512 << 20));
        assert_eq!(bytes("2GiB"), Some(2 << 30));
        assert_eq!(bytes("3 G"), Some(3 << 30));
        for wrong in ["", "4", "GB", "-1GB", "0MB", "1.5GB", "99999999999TB", "4GBs"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn control_groups_count() {
        let files = |path: &str| match path {
            "/sys/fs/cgroup/user/a/memory.max" => Some("max\n".to_owned()),
            "/sys/fs/cgroup/user/memory.max" => Some("1000\n".to_owned()),
            "/sys/fs/cgroup/memory/b/memory.limit_in_bytes" => Some("700\n".to_owned()),
            _ => None,
        };
        let limits = |groups: &str| group_limits(groups, &files).collect::<Vec<_>>();
        assert_eq!(limits("0::/user/a\n"), [1000]);
        assert_eq!(limits("3:cpu:/x\n2:memory,misc:/b\n"), [700]);
        assert_eq!(limits("0::/\n"), Vec::<u64>::new());
    }
}
