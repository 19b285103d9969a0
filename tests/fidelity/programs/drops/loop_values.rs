struct D(String);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}
fn d(s: &str, n: i32) -> D {
    D(format!("{s}{n}"))
}

fn main() {
    let got = loop {
        let x = d("x", 0);
        let _y = d("y", 0);
        break x;
    };
    println!("got {}", got.0);
    let mut kept = None;
    for i in 0..4 {
        let cur = d("cur", i);
        if i % 2 == 1 {
            kept = Some(cur);
            continue;
        }
        println!("skip {}", cur.0);
    }
    println!("kept {}", kept.as_ref().unwrap().0);
    for (i, x) in vec![d("v", 0), d("v", 1), d("v", 2)].into_iter().enumerate() {
        if i == 1 {
            println!("breaking with {}", x.0);
            break;
        }
    }
    println!("-- by ref");
    for x in &[d("r", 0), d("r", 1)] {
        println!("see {}", x.0);
    }
    println!("-- find");
    let f = vec![d("f", 0), d("f", 1), d("f", 2)].into_iter().find(|x| x.0 == "f1");
    println!("found {}", f.is_some());
    println!("-- fold");
    let last = (0..3).map(|i| d("m", i)).fold(d("init", 0), |a, b| {
        println!("{} then {}", a.0, b.0);
        b
    });
    println!("last {}", last.0);
    println!("-- zip");
    for (a, b) in vec![d("a", 0), d("a", 1)].into_iter().zip(vec![d("b", 0)]) {
        println!("{} {}", a.0, b.0);
    }
    println!("-- filter");
    let n = vec![d("k", 0), d("k", 1)].into_iter().filter(|x| x.0.ends_with('1')).count();
    println!("end {n}");
}
