fn half(n: i32) -> Option<i32> {
    (n % 2 == 0).then_some(n / 2)
}
fn parse(s: &str) -> Result<i32, String> {
    s.parse::<i32>().map_err(|e| format!("{s}: {e}"))
}

fn quarter(n: i32) -> Option<i32> {
    let h = half(n)?;
    half(h)
}

fn sum(a: &str, b: &str) -> Result<i32, Box<dyn std::error::Error>> {
    let x: i32 = a.parse()?;
    let y = parse(b)?;
    if x + y > 100 {
        return Err("too big".into());
    }
    Ok(x + y)
}

fn main() {
    println!("{:?} {:?} {:?}", quarter(12), quarter(6), quarter(3));
    println!("{:?} {:?}", Some(4).map(|x| x + 1), None::<i32>.map(|x| x + 1));
    println!("{:?} {:?}", Some(4).and_then(half), Some(3).and_then(half));
    println!("{} {} {}", Some(1).unwrap_or(9), None.unwrap_or(9), None::<i32>.unwrap_or_default());
    println!("{} {}", Some(2).map_or(0, |x| x * 10), None::<i32>.map_or_else(|| -1, |x| x));
    println!("{:?} {:?} {:?}", Some(1).or(Some(2)), None.or_else(|| Some(3)), Some(1).xor(None));
    println!("{:?} {:?}", Some(1).filter(|x| *x > 1), Some(1).zip(Some('a')));
    println!("{:?} {:?}", Some(1).ok_or("none"), None::<i32>.ok_or_else(|| "none".to_string()));
    println!("{} {} {}", Some(1).is_some_and(|x| x > 0), None::<i32>.is_none(), None::<i32>.is_none_or(|x| x > 9));
    println!("{:?} {:?}", Some(Some(1)).flatten(), Some((1, 'a')).unzip());
    println!("{:?} {:?}", Some("a").as_deref(), Some(String::from("s")).as_deref());
    println!("{:?} {:?}", Some(&3).copied(), Some(&vec![1]).cloned());
    println!("{:?}", Some(Ok::<_, ()>(3)).transpose());
    println!("{:?} {:?}", Some(1) < Some(2), None < Some(0));
    println!("{:?}", Some(5).iter().chain(None.iter()).collect::<Vec<_>>());
    let mut o = None;
    *o.get_or_insert(3) += 1;
    println!("{:?} {:?} {:?}", o.replace(8), o.take(), o);
    println!("{:?}", o.insert(1));
    println!("{:?} {:?}", o.as_mut().map(|x| { *x += 1; *x }), o);
    println!("{:?} {:?}", parse("7"), parse("q"));
    println!("{:?} {:?}", parse("7").map(|x| x * 2), parse("q").map(|x| x * 2).is_err());
    println!("{:?} {:?}", parse("7").and_then(|x| parse(&format!("{x}x"))), parse("z").or_else(|e| if e.len() > 1 { Ok::<_, ()>(0) } else { Err(()) }));
    println!("{:?} {:?}", parse("q").unwrap_or(1), parse("q").unwrap_or_else(|e| e.len() as i32));
    println!("{:?} {:?}", parse("1").ok(), parse("q").err());
    println!("{} {}", parse("5").is_ok_and(|x| x == 5), parse("q").is_err_and(|e| e.starts_with('q')));
    println!("{:?} {:?}", parse("3").iter().count(), parse("3").as_ref().map(|x| x + 1));
    println!("{:?} {:?}", Ok::<Option<i32>, ()>(None).transpose(), parse("9").map_or(0, |x| x));
    println!("{:?} {:?}", sum("1", "2").ok(), sum("60", "50").map_err(|e| e.to_string()));
    println!("{} {}", sum("a", "2").unwrap_err(), sum("1", "b").unwrap_err());
    println!("{:?}", parse("4").inspect(|x| println!("see {x}")).inspect_err(|e| println!("err {e}")));
    println!("{:?}", Ok::<i32, String>(1).and(Err::<i32, _>("x".to_string())));
    println!("{:?}", Err::<i32, &str>("e").or(Ok::<_, ()>(2)));
    println!("{:?}", [parse("1"), parse("x"), parse("2")].into_iter().flatten().sum::<i32>());
    let words = ["3", "x", "5"];
    let (ok, bad): (Vec<_>, Vec<_>) = words.iter().map(|w| parse(w)).partition(|r| r.is_ok());
    println!("{:?} {:?}", ok.into_iter().map(Result::unwrap).collect::<Vec<_>>(), bad.len());
    let t: Option<u8> = (|| { let a = Some(200u8)?; a.checked_add(100) })();
    println!("{t:?} {:?}", true.then(|| 5));
}
