fn main() {
    let mut v = Vec::new();
    v.push(3);
    v.push(1);
    v.push(2);
    println!("{:?} len {}", v, v.len());
    v[1] = 10;
    v.insert(0, 7);
    println!("{:?} {:?}", v, v.first());
    println!("{:?}", v.remove(2));
    v.sort();
    println!("{:?}", v);
    v.reverse();
    v.extend([9, 8]);
    v.extend_from_slice(&[1, 1]);
    println!("{:?} {:?}", v, v.iter().max());
    println!("{:?}", &v[1..3]);
    v.dedup();
    v.retain(|x| x % 2 == 1);
    println!("{:?}", v);
    let w: Vec<i32> = v.iter().map(|x| x * 2).collect();
    println!("{:?} {}", w, w.contains(&18));
    let z = vec![0u8; 4];
    println!("{:?} {:?}", z, vec!["a", "b"].concat());
    v.swap(0, 1);
    v.truncate(1);
    println!("{:?} {:?}", v.pop(), v.pop());
    v.clear();
    println!("{}", v.is_empty());
    let mut grid = vec![vec![0; 3]; 2];
    grid[1][2] = 5;
    for row in &grid {
        println!("{:?}", row);
    }
    let a = [[1, 2], [3, 4]];
    println!("{:?} {}", a, a[1][0]);
    let b: [String; 2] = ["x".to_string(), String::from("y")];
    println!("{}", b.join("-"));
    let d: Vec<_> = (0..5).rev().step_by(2).collect();
    println!("{:?}", d);
}
