// Option and Result through all their combinators, conversions, iteration and `?`.
use std::num::ParseIntError;
#[derive(Debug, PartialEq)]
enum Fault { Parse(ParseIntError), Range(i64), Text(String), Many(Vec<Fault>) }
impl From<ParseIntError> for Fault { fn from(e: ParseIntError) -> Fault { Fault::Parse(e) } }
impl From<&str> for Fault { fn from(e: &str) -> Fault { Fault::Text(e.to_uppercase()) } }
impl std::fmt::Display for Fault { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { match self { Fault::Parse(e) => write!(f, "parse: {e}"), Fault::Range(n) => write!(f, "{n} out of range"), Fault::Text(t) => f.pad(t), Fault::Many(all) => f.debug_list().entries(all.iter().map(|e| e.to_string())).finish() } } }
impl std::error::Error for Fault { fn source(&self) -> Option<&(dyn std::error::Error + 'static)> { match self { Fault::Parse(e) => Some(e), _ => None } } }
fn number(text: &str) -> Result<i64, Fault> { let n: i64 = text.trim().parse()?; if !(0..=100).contains(&n) { return Err(Fault::Range(n)) } (n != 42).then_some(n).ok_or("answer")?; Ok(n) }
fn sum(texts: &[&str]) -> Result<i64, Box<dyn std::error::Error>> { let mut s = 0; for t in texts { s += number(t)?; } if s > 150 { Err(format!("sum {s}"))? } Ok(s) }
fn all(texts: &[&str]) -> Result<Vec<i64>, Fault> { let (ok, bad): (Vec<_>, Vec<_>) = texts.iter().map(|t| number(t)).partition(Result::is_ok); if bad.is_empty() { Ok(ok.into_iter().flatten().collect()) } else { Err(Fault::Many(bad.into_iter().filter_map(Result::err).collect())) } }
fn middle(v: &[i32]) -> Option<&i32> { let i = v.len().checked_sub(1)? / 2; v.get(i).filter(|x| **x > 0) }
fn main() {
    for t in ["5", "x", "500", "42", "", " 7 "] { println!("{:?} {}", number(t), number(t).map_or_else(|e| e.to_string(), |n| n.to_string())); }
    println!("{:?} {:?} {:?}", sum(&["1", "2"]).ok(), sum(&["1", "z"]).map_err(|e| e.to_string()), sum(&["99", "98"]).unwrap_err().to_string());
    println!("{:?} {} {:?}", all(&["1", "2"]), all(&["1", "q", "101"]).unwrap_err(), number("x").unwrap_err().source_text());
    println!("{:?} {:?} {:?}", middle(&[1, 2, 3]), middle(&[]), middle(&[0]));
    let (s, n): (Option<i32>, Option<i32>) = (Some(3), None);
    println!("{:?} {:?} {:?} {:?}", s.and(Some("a")), s.and_then(|x| x.checked_sub(5)), n.or(Some(9)), n.or_else(|| s));
    println!("{:?} {:?} {:?} {:?} {:?}", s.xor(n), s.zip(Some('z')), n.zip(s), s.filter(|x| *x > 5), Some(Some(1)).flatten());
    println!("{} {} {} {}", s.map_or(0, |x| x * 2), n.unwrap_or_default(), n.unwrap_or_else(|| 4), s.is_some_and(|x| x == 3));
    println!("{:?} {:?} {:?} {}", s.ok_or("none"), n.ok_or_else(|| "none".to_string()), s.iter().chain(&n).collect::<Vec<_>>(), n.is_none_or(|x| x > 0));
    let mut m = Some(5); println!("{:?} {:?} {:?}", m.take(), { *m.get_or_insert(1) }, m.replace(8)); println!("{m:?} {:?} {:?}", *m.clone().insert(2), m.clone().take_if(|x| *x == 8)); println!("{:?}", i32::checked_add(*m.get_or_insert_with(|| 6), 1)); if let Some(x) = m.as_mut() { *x += 1 } println!("{m:?} {:?}", m.as_slice());
    let text = Some(String::from("abc")); println!("{:?} {:?} {:?} {:?}", text.as_deref(), text.as_ref().map(String::len), text.clone().into_iter().next(), text.as_deref().and_then(|t| t.chars().nth(1)));
    let (o, e): (Result<i32, String>, Result<i32, String>) = (Ok(3), Err("bad".into()));
    println!("{:?} {:?} {:?} {:?}", o.as_ref().ok(), e.as_ref().err(), o.clone().and(e.clone()), e.clone().or(o.clone())); println!("{:?} {:?} {:?}", o.clone().and_then(|x| if x > 5 { Ok(x) } else { Err("small".into()) }), e.clone().or_else(|t| if t == "bad" { Ok::<i32, ()>(0) } else { Err(()) }), e.clone().map_err(|t| t.len()));
    println!("{} {} {} {}", e.clone().unwrap_or(1), e.clone().unwrap_or_else(|t| t.len() as i32), o.clone().is_ok_and(|x| x == 3), e.clone().is_err_and(|t| t.is_empty())); println!("{:?} {:?} {:?}", o.iter().next(), o.as_ref().map_or(0, |x| x + 1), o.clone().inspect(|x| print!("[{x}] ")).inspect_err(|_| print!("never")));
    println!("{:?} {:?} {:?}", Some(Ok::<i32, ()>(1)).transpose(), Ok::<Option<i32>, ()>(None).transpose(), Some(Err::<i32, u8>(2)).transpose()); println!("{:?} {:?} {:?}", Ok::<&i32, ()>(&5).copied(), Some(&"x".to_string()).cloned(), Some((1, 'a')).unzip());
    println!("{:?} {:?} {:?}", Some(1) < None, Some(1).max(Some(2)), Ok::<i32, i32>(9) < Err(0)); println!("{:?} {:?}", [Some(3), None, Some(1)].into_iter().flatten().sum::<i32>(), ["1", "b", "3"].iter().flat_map(|t| t.parse::<i32>()).collect::<Vec<_>>());
    println!("{:?}", o.clone().expect("fine")); println!("{:?}", e.clone().expect_err("fine")); println!("{:?} {:?}", std::panic::catch_unwind(|| None::<i32>.expect("gone")).is_err(), std::panic::catch_unwind(|| Ok::<i32, &str>(1).unwrap_err()).is_err());
    println!("{}", Err::<(), _>(Fault::Many(vec![Fault::Range(-1), Fault::Text("t".into())])).unwrap_err()); e.unwrap();
}
trait SourceText { fn source_text(&self) -> Option<String>; }
impl<E: std::error::Error> SourceText for E { fn source_text(&self) -> Option<String> { self.source().map(|e| e.to_string()) } }
