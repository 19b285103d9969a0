struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn main() {
    match D("scrutinee 1") {
        x if let y = D("guard y") && let z = D("guard z") => {
            let _in_block = D("in block");
            println!("{} {} {}", x.0, y.0, z.0);
        }
        _ => unreachable!(),
    }
    println!("--");
    match D("scrutinee 2") {
        _ if let _y = D("first arm") && false => unreachable!(),
        _ | _ if let _y = D("second arm, twice") && false => unreachable!(),
        _ => {}
    }
    println!("--");
    match Some(3) {
        Some(n) if let Ok(m) = format!("{n}4").parse::<i32>() && m > 100 => println!("big {m}"),
        Some(n) if let Some(c) = char::from_digit(n, 10) => println!("char {c}"),
        _ => println!("none"),
    }
    match D("scrutinee 3") {
        _ if D("plain guard").0 == "" => (),
        _ if let "guard scrutinee" = D("guard scrutinee").0 => {
            let _ = &D("extended inside");
            println!("arm");
        }
        _ => (),
    }
}
