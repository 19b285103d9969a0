use std::collections::BTreeMap;
use std::sync::RwLock;

type Prices = BTreeMap<&'static str, u32>;

struct Shop {
    prices: RwLock<Prices>,
}

fn print_offer(prices: &Prices, discount: u32) {
    for (name, price) in prices {
        println!("{name}: {}", price - discount.min(*price));
    }
}

impl Shop {
    fn discount(&self) -> u32 {
        let mut prices = self.prices.write().unwrap();
        prices.retain(|_, price| *price > 0);
        prices.values().min().copied().unwrap_or(0) / 10
    }

    fn offer(&self) {
        let discount = self.discount();
        print_offer(&self.prices.read().unwrap(), discount);
    }
}

// The read guard in the first argument is alive when the second one asks for the write lock.
fn main() {
    let shop = Shop { prices: RwLock::new(BTreeMap::from([("apple", 20), ("pear", 30)])) };
    shop.offer();
}
