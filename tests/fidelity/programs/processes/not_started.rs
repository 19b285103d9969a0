//! Programs that cannot be started, and streams that lead nowhere.
use std::env;
use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

fn try_to_start(what: &str, command: &mut Command) {
    match command.spawn() {
        Ok(mut child) => println!("{what}: {}", child.wait().unwrap()),
        Err(error) => println!("{what}: {:?} {:?}", error.kind(), error.raw_os_error()),
    }
}

fn main() -> io::Result<()> {
    if env::args().nth(1).is_some() {
        let mut text = String::new();
        println!("{} bytes of input", io::stdin().read_to_string(&mut text)?);
        return Ok(());
    }
    try_to_start("missing", &mut Command::new("/no/such/program"));
    try_to_start("not in PATH", &mut Command::new("surely-there-is-no-such-program"));
    try_to_start("empty", &mut Command::new(""));
    try_to_start("with a zero", &mut Command::new("a\0b"));
    try_to_start("zero in an argument", Command::new(env::current_exe()?).arg("a\0b"));

    let folder = env::temp_dir().join(format!("not-started-{}", std::process::id()));
    fs::create_dir(&folder)?;
    try_to_start("a folder", &mut Command::new(&folder));
    let plain = folder.join("plain");
    fs::write(&plain, "just text")?;
    try_to_start("not executable", &mut Command::new(&plain));
    fs::set_permissions(&plain, fs::Permissions::from_mode(0o755))?;
    try_to_start("no format", &mut Command::new(&plain));
    fs::remove_dir_all(&folder)?;

    let program = env::current_exe()?;
    try_to_start("nothing to read", Command::new(&program).arg("read").stdin(Stdio::null()));
    let output = Command::new(&program).arg("read").output()?;
    println!("{:?}", String::from_utf8_lossy(&output.stdout));
    let status = Command::new(&program).arg("read").stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    println!("{status}");
    let child = Command::new(&program).arg("read").stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    println!("{} {} {}", child.stdin.is_some(), child.stdout.is_some(), child.stderr.is_some());
    println!("{:?}", child.wait_with_output()?.stdout);
    Ok(())
}
