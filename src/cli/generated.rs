//! `completions` and `man`: what clap's generators make of the command line.

use super::{Cli, cargo::CargoTsvd, output::print_escaped};
use clap::{Args, Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

/// The program's name.
const NAME: &str = env!("CARGO_PKG_NAME");

#[derive(Args)]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
    /// Print the completions of `cargo tsvd`; the shell uses them together with its own for cargo.
    #[arg(long)]
    cargo: bool,
}

#[derive(Args)]
pub(super) struct ManCommand {
    /// A command, such as `check`; by default the page of the program.
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Prints a shell's completions.
pub(super) fn completions(completions: &Completions) {
    let mut text = Vec::new();
    let own = CargoTsvd::command();
    match completions.shell {
        shell if !completions.cargo => clap_complete::generate(shell, &mut Cli::command(), NAME, &mut text),
        Shell::Bash => text = for_bash_of_cargo(own).into_bytes(),
        shell @ Shell::Fish => {
            let mut cargo = Command::new("cargo").subcommand(own.name("tsvd").bin_name("tsvd"));
            clap_complete::generate(shell, &mut cargo, "cargo", &mut text);
        }
        // zsh's completions of cargo call the function that this defines.
        shell => clap_complete::generate(shell, &mut own.bin_name("cargo-tsvd"), "cargo-tsvd", &mut text),
    }
    show(&text);
}

/// Cargo's own completions for bash look for a command's options in a variable that is named after it.
fn for_bash_of_cargo(mut command: Command) -> String {
    command.build();
    let options = command.get_arguments().filter(|it| !it.is_hide_set()).flat_map(|argument| {
        let short = argument.get_short().map(|it| format!("-{it}"));
        short.into_iter().chain(argument.get_long().map(|it| format!("--{it}")))
    });
    format!("opt__tsvd='{}'\n", options.collect::<Vec<_>>().join(" "))
}

/// Prints a manual page.
///
/// # Errors
///
/// If there is no such command.
pub(super) fn man(of: &ManCommand) -> Result<u8, String> {
    let mut cli = Cli::command();
    // Names such as `tsvd-check check` are known only then.
    cli.build();
    let page = match &of.command {
        None => Man::new(cli),
        Some(name) => {
            let commands: Vec<_> = cli.get_subcommands().filter(|it| it.get_name() != "help").collect();
            let Some(command) = commands.iter().find(|it| it.get_name() == name) else {
                let names: Vec<_> = commands.iter().map(|it| it.get_name()).collect();
                return Err(format!("unknown command `{name}`; the commands are {}", names.join(", ")));
            };
            let title = format!("{NAME}-{name}");
            Man::new((*command).clone().display_name(title.clone())).title(title)
        }
    };
    let page = page.source(concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")));
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| error.to_string())?;
    show(&text);
    Ok(0)
}

fn show(text: &[u8]) {
    // It is made of our own texts.
    print_escaped(String::from_utf8_lossy(text).trim_end());
}
