//! `completions` and `man`: what clap's generators make of the command line.

use super::{Cli, output::print_escaped};
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

/// The program's name.
const NAME: &str = env!("CARGO_PKG_NAME");

#[derive(Args)]
pub(super) struct Completions {
    /// The shell.
    shell: Shell,
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
    clap_complete::generate(completions.shell, &mut Cli::command(), NAME, &mut text);
    show(&text);
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
                return Err(format!("there is no command `{name}`; there are {}", names.join(", ")));
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
