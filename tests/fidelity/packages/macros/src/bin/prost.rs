//! Messages of protobuf.

#[derive(Clone, PartialEq, prost::Message)]
struct S {
    #[prost(uint32, tag = "1")]
    a: u32,
    #[prost(string, repeated, tag = "2")]
    b: Vec<String>,
}
fn main() {
    use prost::Message;
    let s = S { a: 3, b: vec!["x".into()] };
    let v = s.encode_to_vec();
    println!("{:?} {:?}", v, S::decode(&v[..]));
}
