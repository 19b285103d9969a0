use std::collections::BTreeMap;
use std::sync::LazyLock;

static UNITS: LazyLock<BTreeMap<&str, u32>> = LazyLock::new(|| {
    let mut units = BTreeMap::from([("second", 1), ("minute", 60)]);
    units.insert("hour", 60 * units["minute"]);
    units
});

fn seconds(unit: &str) -> u32 {
    UNITS[unit]
}

// The table asks itself while it is being made.
fn main() {
    println!("{}", seconds("hour"));
}
