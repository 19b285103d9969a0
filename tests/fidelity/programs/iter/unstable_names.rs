//! A trait for iterators with methods that std has too, but not stable: they are this one's.

trait Between: Iterator + Sized {
    fn intersperse(self, element: Self::Item) -> Vec<Self::Item>
    where
        Self::Item: Clone,
    {
        let mut all = Vec::new();
        for item in self {
            if !all.is_empty() {
                all.push(element.clone());
            }
            all.push(item);
        }
        all
    }

    fn intersperse_with(self, mut make: impl FnMut() -> Self::Item) -> Vec<Self::Item> {
        let mut all = Vec::new();
        for item in self {
            if !all.is_empty() {
                all.push(make());
            }
            all.push(item);
        }
        all
    }
}

impl<I: Iterator> Between for I {}

#[allow(unstable_name_collisions)]
fn main() {
    println!("{:?}", (1..4).intersperse(0));
    let mut n = 10;
    println!("{:?}", [1, 2, 3].into_iter().intersperse_with(|| {
        n += 1;
        n
    }));
}
