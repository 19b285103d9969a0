//! Measures sources that ask for unbounded work: CPU seconds and memory of `check` on each.
//!
//! `cargo bench --bench bombs -- [small|large|huge] [NAME..] [--seconds N] [--keep FOLDER]`: one kind, or those whose
//! name contains one of the texts. A check that takes more than N seconds (default 120) or 8 GB is killed. `--keep`
//! keeps sources and outputs. Memory is read from `/proc`, so only on Linux.

#![allow(clippy::print_stdout, reason = "a table for people")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

#[path = "../tests/suite/safety/bombs/large.rs"]
mod large;
#[path = "../tests/suite/safety/bombs/sources.rs"]
mod sources;

use sources::Bomb;

const MEGABYTE: usize = 1 << 20;
/// Time limit for a file of a megabyte.
const SECONDS: f64 = 30.0;
const MIB: u64 = 1536;

struct Options {
    names: Vec<String>,
    seconds: f64,
    keep: Option<PathBuf>,
}

/// The cost of a check.
struct Cost {
    seconds: f64,
    mib: u64,
    status: String,
    stderr: String,
}

fn main() -> ExitCode {
    let mut options = Options { names: Vec::new(), seconds: 120.0, keep: None };
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let mut kind = None;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "small" | "large" | "huge" => kind = Some(arg),
            "--seconds" => options.seconds = args.next().and_then(|it| it.parse().ok()).unwrap_or(options.seconds),
            "--keep" => options.keep = args.next().map(PathBuf::from),
            _ => options.names.push(arg),
        }
    }
    let is_kind = |name: &str| kind.as_deref().is_none_or(|kind| kind == name);
    let mut bombs = Vec::new();
    bombs.extend(is_kind("small").then(sources::small).into_iter().flatten());
    bombs.extend(is_kind("large").then(|| large::files(MEGABYTE)).into_iter().flatten());
    bombs.extend(is_kind("huge").then(|| large::functions(50 * MEGABYTE)).into_iter().flatten());
    let mut over = 0;
    for bomb in bombs {
        if !options.names.is_empty() && !options.names.iter().any(|name| bomb.name.contains(name.as_str())) {
            continue;
        }
        match checked(&bomb, &options) {
            Ok(cost) => {
                let is_over = cost.seconds > SECONDS || cost.mib > MIB || !matches!(cost.status.as_str(), "0" | "1");
                over += usize::from(is_over);
                let word = if is_over { "OVER" } else { "ok" };
                println!(
                    "{:<28} {:>7.1} s {:>6} MiB  status {:<8} {word}",
                    bomb.name, cost.seconds, cost.mib, cost.status
                );
                for line in cost.stderr.lines().take(8) {
                    println!("    {}", line.chars().take(200).collect::<String>());
                }
            }
            Err(error) => println!("{:<28} {error}", bomb.name),
        }
    }
    println!("{over} over {SECONDS} s or {MIB} MiB, or with another status than 0 and 1");
    ExitCode::SUCCESS
}

fn checked(bomb: &Bomb, options: &Options) -> std::io::Result<Cost> {
    let temporary = tempfile::tempdir()?;
    let folder = options.keep.as_ref().map_or_else(|| temporary.path().to_owned(), |keep| keep.join(bomb.name));
    for (path, text) in &bomb.files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        fs::write(path, text)?;
    }
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let child = Command::new(env!("CARGO_BIN_EXE_tsvd-check"))
        .args(["check", "--no-cache", bomb.path])
        .current_dir(&folder)
        .env_remove("CARGO")
        .env("XDG_CACHE_HOME", folder.join(".cache"))
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out)?)
        .stderr(fs::File::create(&err)?)
        .spawn()?;
    let (seconds, mib, status) = watched(child, options.seconds)?;
    Ok(Cost { seconds, mib, status, stderr: read(&err) })
}

/// Waits for a process; returns its CPU seconds, peak memory, and how it ended.
fn watched(mut child: Child, most: f64) -> std::io::Result<(f64, u64, String)> {
    let began = Instant::now();
    let folder = PathBuf::from(format!("/proc/{}", child.id()));
    let (mut seconds, mut mib) = (0.0, 0);
    loop {
        let status = fs::read_to_string(folder.join("status")).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        mib = peak.map_or(mib, |kib: u64| kib / 1024);
        let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        if let [user, system] = fields.get(11..13).unwrap_or_default()
            && let (Ok(user), Ok(system)) = (user.parse::<u32>(), system.parse::<u32>())
        {
            seconds = f64::from(user + system) / 100.0;
        }
        if let Some(status) = child.try_wait()? {
            let status = status.code().map_or_else(|| "signal".to_owned(), |code| code.to_string());
            return Ok((seconds, mib, status));
        }
        if seconds > most || began.elapsed().as_secs_f64() > most * 5.0 || mib > 8 << 10 {
            child.kill()?;
            child.wait()?;
            return Ok((seconds, mib, "ended".to_owned()));
        }
        sleep(Duration::from_millis(20));
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}
