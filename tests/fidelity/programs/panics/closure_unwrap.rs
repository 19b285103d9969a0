use std::collections::BTreeMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Missing(&'static str),
    Range { lo: i32, hi: i32, got: Option<i32> },
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Missing(k) => write!(f, "missing {k}"),
            Kind::Range { lo, hi, got } => write!(f, "{got:?} not in {lo}..{hi}"),
        }
    }
}
impl std::error::Error for Kind {}

fn lookup(m: &BTreeMap<&str, i32>, k: &'static str) -> Result<i32, Box<dyn std::error::Error>> {
    let v = *m.get(k).ok_or(Kind::Missing(k))?;
    if v > 10 { Err(Kind::Range { lo: 0, hi: 10, got: Some(v) })? }
    Ok(v)
}

fn main() {
    let m = BTreeMap::from([("a", 1), ("b", 20)]);
    println!("{}", lookup(&m, "a").unwrap());
    println!("{}", lookup(&m, "c").unwrap_err());
    println!("{:?}", lookup(&m, "c").unwrap_err().downcast_ref::<Kind>());
    let sum: i32 = ["a", "b"].into_iter().map(|k| lookup(&m, k).unwrap()).sum();
    println!("{sum}");
}
