//! A table of plugins, which are called by name.

use std::{
    sync::{Mutex, MutexGuard},
    thread,
};

struct Plugin {
    version: u32,
}

struct Table(Vec<*mut Plugin>);

unsafe impl Send for Table {}

static TABLE: Mutex<Table> = Mutex::new(Table(Vec::new()));

fn table() -> MutexGuard<'static, Table> {
    TABLE.lock().unwrap()
}

fn versions() -> u32 {
    let table = table();
    table.0.iter().map(|plugin| unsafe { (**plugin).version }).sum() //~ schedule-dependent-fault
}

fn unload(plugin: *mut Plugin) {
    let table = table();
    assert!(table.0.contains(&plugin));
    drop(unsafe { Box::from_raw(plugin) }); //~ schedule-dependent-fault
}

// A plugin is freed under the lock, but stays in the table.
fn main() {
    let plugin = Box::into_raw(Box::new(Plugin { version: 3 }));
    table().0.push(plugin);
    let asks = thread::spawn(versions);
    unload(plugin);
    assert!(asks.join().unwrap() <= 3);
}
