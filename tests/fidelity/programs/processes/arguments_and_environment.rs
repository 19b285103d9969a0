//! What a child is given: arguments, variables, a folder.
use std::env;
use std::process::Command;

fn child() {
    println!("args {:?}", env::args().skip(2).collect::<Vec<_>>());
    for name in ["COLOUR", "EMPTY", "PATH_LIKE", "REMOVED"] {
        println!("{name} {:?}", env::var(name));
    }
    let folder = env::current_dir().unwrap();
    println!("in {:?}", folder.file_name().unwrap());
}

fn main() {
    if env::args().nth(1).as_deref() == Some("child") {
        return child();
    }
    if env::args().nth(1).as_deref() == Some("count") {
        println!("{}", env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("FIDELITY_")).count());
        return;
    }
    let program = env::current_exe().unwrap();
    let folder = env::temp_dir().join(format!("arguments-{}", std::process::id())).join("inner folder");
    std::fs::create_dir_all(&folder).unwrap();
    let output = Command::new(&program)
        .arg("child")
        .args(["with space", "", "quote\"s", "-x", "--", "tab\there", "ünïcode 🦀", "$HOME *"])
        .env("COLOUR", "green")
        .env("EMPTY", "")
        .env("REMOVED", "never seen")
        .env_remove("REMOVED")
        .envs([("PATH_LIKE", "/a:/b"), ("OTHER", "x")])
        .current_dir(&folder)
        .output()
        .unwrap();
    print!("{}", String::from_utf8_lossy(&output.stdout));
    std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();

    // Inherited, changed and cleared.
    // SAFETY: there is only this thread.
    unsafe { env::set_var("FIDELITY_ONE", "1") };
    let count = |command: &mut Command| String::from_utf8(command.arg("count").output().unwrap().stdout).unwrap();
    print!("{}", count(&mut Command::new(&program)));
    print!("{}", count(Command::new(&program).env("FIDELITY_TWO", "2")));
    print!("{}", count(Command::new(&program).env_clear()));
    print!("{}", count(Command::new(&program).env_clear().env("FIDELITY_THREE", "3")));

    let mut command = Command::new("tool");
    command.arg("a b").env("K", "v").env_remove("GONE");
    println!("{command:?}");
    println!("{:?}", command.get_args().collect::<Vec<_>>());
    println!("{:?}", command.get_envs().collect::<Vec<_>>());
    println!("{:?} {:?}", command.get_program(), command.get_current_dir());
    let missing = Command::new(&program).current_dir("/no/such/folder").spawn();
    println!("{:?}", missing.map_err(|error| error.kind()).err());
}
