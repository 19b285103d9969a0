fn main() {
    let a = [1, 2, 3, 4, 5, 6, 7];
    println!("{:?}", a.iter().zip(a.iter().skip(1)).map(|(x, y)| x + y).collect::<Vec<_>>());
    let mut v2 = vec![5, 3];
    v2.extend(a.iter().zip(a.iter()).map(|(a, b)| a * b).take(2));
    println!("{v2:?}");
    {
        let a = [1, 2, 3, 4, 5, 6, 7];
        a.iter()
            .zip(a.iter().skip(1))
            .zip(a.iter().skip(2))
            .for_each(|((x, y), z)| println!("{}", x + y + z));
    }
    {
        let a = [1, 2, 3, 4, 5, 6, 7];
        let w = a.chunks(2).zip(a.windows(3));
        println!("{:?}", w.size_hint());
        for x in w {
            println!("{x:?}");
        }
        println!("{:?}", a.chunks(2).last());
        println!("{:?}", a.iter().zip(a.iter().map(|x| x * 2)).last());
        println!("{:?}", a.chunks(2).zip(a.windows(3)).last());
    }
}
