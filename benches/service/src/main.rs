//! Takes orders and ships them: the ledger is shared by requests, by a task that ships what is due, and by a thread that
//! writes what happened.

mod ledger;
mod web;

use clap::Parser;
use ledger::Ledger;
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tokio::sync::mpsc;

#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    #[arg(long, env = "LISTEN", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    #[arg(long, default_value_t = 100)]
    most_open: usize,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt::init();
    let options = Options::parse();
    let (events, inbox) = mpsc::channel(64);
    let ledger = Arc::new(Ledger::new(options.most_open, events));
    let writer = ledger::write_events(inbox);
    let shipping = tokio::spawn(ledger::ship(ledger.clone(), Duration::from_secs(1)));
    let listener = tokio::net::TcpListener::bind(options.listen).await?;
    tracing::info!(address = %options.listen, "listening");
    tokio::select! {
        served = axum::serve(listener, web::router(ledger)) => served?,
        stopped = tokio::signal::ctrl_c() => stopped?,
    }
    shipping.abort();
    writer.join().map_err(|_| anyhow::anyhow!("the writer panicked"))?;
    Ok(())
}
