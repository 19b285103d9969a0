use std::pin::pin;

#[derive(Debug)]
struct D(&'static str);
impl Drop for D {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn show(a: std::fmt::Arguments<'_>) {
    println!("show {a}");
}

fn main() {
    let x = pin!(D("pinned"));
    let y = pin!({ &mut D("in block in pin") });
    let z = format_args!("{:?} {:?}", D("fmt0"), D("fmt1")).to_string();
    println!("z {z}");
    show(format_args!("{:?}", D("call argument")));
    println!("-- x {} y {}", x.0, y.0);
    pin!(D("statement pin")).0 = "renamed";
    println!("-- after statement");
    {
        let args = format_args!("{:?}", D("bound args"));
        println!("{args}");
    }
    println!("-- after block");
    let s = format!("{:?}{:?}", D("format0"), D("format1"));
    println!("{s}");
    print!("{:?}", D("print"));
    println!();
    let n = pin!(D("tail pin")).0.len();
    println!("n {n}");
    assert!(D("assert").0.len() == 6, "{:?}", D("never made"));
    assert_eq!(D("eq left").0.len(), D("eq right").0.len() - 1);
    let w = { pin!(D("block tail pin")) };
    println!("end {}", w.0);
}
