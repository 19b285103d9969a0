fn main() {
    let mut v = vec![5, 2, 9, 2, 7, 1];
    v.sort();
    println!("{:?}", v);
    v.sort_by(|a, b| b.cmp(a));
    println!("{:?}", v);
    let mut w = ["delta", "a", "charlie", "bb", "c"];
    w.sort_by_key(|s| s.len());
    println!("{:?}", w);
    w.sort_by_cached_key(|s| s.chars().rev().collect::<String>());
    println!("{:?}", w);
    v.sort_unstable_by_key(|x| (x % 3, *x));
    println!("{:?}", v);
    v.dedup();
    v.sort_unstable();
    println!("{:?} {:?} {:?}", v.binary_search(&7), v.binary_search(&3), v.partition_point(|&x| x < 5));
    println!("{:?}", v.binary_search_by_key(&81, |x| x * x));
    println!("{:?}", v.chunks(2).collect::<Vec<_>>());
    println!("{:?}", v.rchunks(2).map(|c| c.len()).collect::<Vec<_>>());
    println!("{:?} {:?}", v.chunks_exact(2).collect::<Vec<_>>(), v.chunks_exact(2).remainder());
    println!("{:?}", v.windows(3).map(|w| w.iter().sum::<i32>()).collect::<Vec<_>>());
    v.rotate_left(2);
    println!("{:?}", v);
    v.rotate_right(1);
    v.swap(0, 4);
    v.reverse();
    println!("{:?}", v);
    let (a, b) = v.split_at_mut(2);
    a[0] += b[0];
    b[1..].fill(0);
    println!("{:?}", v);
    println!("{:?} {:?}", [[1, 2], [3, 4]].concat(), [vec![1], vec![2]].join(&0));
    println!("{:?} {:?}", v.first(), v.split_first().map(|(h, t)| (*h, t.len())));
    println!("{:?} {:?} {:?}", v.last(), v.split_last().map(|(l, _)| *l), v.get(1..3));
    println!("{:?}", [1, 0, 2, 3, 0].split(|x| *x == 0).collect::<Vec<_>>());
    println!("{:?}", [1, 0, 2, 0, 3].splitn(2, |x| *x == 0).collect::<Vec<_>>());
    println!("{:?}", [1, 1, 2, 3, 3].chunk_by(|a, b| a == b).collect::<Vec<_>>());
    println!("{} {} {}", [1, 2, 3].starts_with(&[1, 2]), [1, 2].ends_with(&[2]), [1, 2].contains(&3));
    println!("{:?} {:?}", [1, 2] < [1, 3], [1, 2][..].cmp(&[1][..]));
    println!("{:?} {:?}", [1, 2, 3].strip_prefix(&[1]), [0u8; 2].repeat(2));
    let mut s = [1, 2, 3, 4, 5];
    s.copy_within(1..3, 3);
    println!("{:?}", s);
    s[..2].copy_from_slice(&[8, 9]);
    s[2..4].swap_with_slice(&mut [0, -1]);
    println!("{:?}", s);
    s.select_nth_unstable(2);
    println!("{}", s[2]);
    for x in s.iter_mut().rev().take(1) {
        *x = 100;
    }
    for c in s.chunks_mut(2) {
        c[0] *= 2;
    }
    println!("{}", s.iter().max().unwrap());
    if let [first, .., last] = &mut s[..] {
        std::mem::swap(first, last);
    }
    println!("{:?}", s.iter().rev().skip_while(|x| **x < 0).count());
    let mut d = vec![("a", 1), ("a", 2), ("b", 2)];
    d.dedup_by_key(|p| p.0);
    println!("{:?}", d);
    d.dedup_by(|a, b| a.0 > b.0);
    println!("{:?} {:?}", d, vec![3, 1, 2].is_sorted_by_key(|x| -x));
    println!("{:?} {:?}", [1, 2, 3, 4].as_chunks::<3>(), [[1, 2], [3, 4]].as_flattened());
    println!("{:?}", vec![1, 2, 3, 4].extract_if(.., |x| *x % 2 == 0).collect::<Vec<_>>());
    println!("{:?}", std::array::from_fn::<_, 4, _>(|i| i * i));
    println!("{:?} {:?}", [1, 2].each_ref().map(|x| *x + 1), [4, 5, 6].first_chunk::<2>());
    let v2: Vec<i32> = Vec::from([1, 2, 3]);
    println!("{:?} {:?}", v2.iter().as_slice(), v2.get(7));
    println!("{:?}", [3, 1, 2].get_disjoint_mut([0, 2]).map(|[a, b]| *a + *b));
}
