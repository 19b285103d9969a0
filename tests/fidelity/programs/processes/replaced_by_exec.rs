//! A child that becomes another program, and names for programs.
use std::env;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

fn main() -> io::Result<()> {
    let program = env::current_exe()?;
    let args: Vec<String> = env::args().collect();
    match args.get(1).map(String::as_str) {
        Some("becomes") => {
            println!("first I was one");
            let error = Command::new(&program).args(["other", "x"]).env("BEFORE", "yes").exec();
            // Only if it failed.
            return Err(error);
        }
        Some("other") => {
            println!("now I am {:?}, {:?}", &args[1..], env::var("BEFORE"));
            std::process::exit(5);
        }
        Some("fails") => {
            let error = Command::new("/no/such/program").exec();
            println!("still here: {:?}", error.kind());
            return Ok(());
        }
        Some("named") => {
            println!("called {:?}", args[0]);
            return Ok(());
        }
        _ => {}
    }
    for mode in ["becomes", "fails"] {
        let output = Command::new(&program).arg(mode).output()?;
        print!("{}", String::from_utf8_lossy(&output.stdout));
        println!("{:?}", output.status.code());
    }
    let output = Command::new(&program).arg0("another name").arg("named").output()?;
    print!("{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}
