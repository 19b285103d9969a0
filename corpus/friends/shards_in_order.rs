use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::sync::{Mutex, MutexGuard};
use std::thread;

type Shard<K, V> = Mutex<HashMap<K, V>>;

struct Sharded<K, V, const N: usize> {
    shards: [Shard<K, V>; N],
    hasher: RandomState,
}

impl<K: Hash + Eq + Clone, V, const N: usize> Sharded<K, V, N> {
    fn new() -> Self {
        Sharded { shards: std::array::from_fn(|_| Mutex::default()), hasher: RandomState::new() }
    }

    fn shard(&self, key: &K) -> usize {
        self.hasher.hash_one(key) as usize % N
    }

    fn insert(&self, key: K, value: V) {
        self.shards[self.shard(&key)].lock().unwrap().insert(key, value);
    }

    fn all(&self) -> Vec<MutexGuard<'_, HashMap<K, V>>> {
        self.shards.iter().map(|shard| shard.lock().unwrap()).collect()
    }

    fn rename(&self, from: &K, to: K) -> bool {
        let (a, b) = (self.shard(from), self.shard(&to));
        if a == b {
            let mut shard = self.shards[a].lock().unwrap();
            let value = shard.remove(from);
            return value.map(|value| shard.insert(to, value)).is_some();
        }
        let mut low = self.shards[a.min(b)].lock().unwrap();
        let mut high = self.shards[a.max(b)].lock().unwrap();
        let (source, target) = if a < b { (&mut low, &mut high) } else { (&mut high, &mut low) };
        source.remove(from).map(|value| target.insert(to, value)).is_some()
    }
}

// All who need several shards take them by ascending number.
fn main() {
    let map: Sharded<String, u32, 3> = Sharded::new();
    map.insert("a".into(), 1);
    map.insert("b".into(), 2);
    thread::scope(|scope| {
        scope.spawn(|| map.rename(&"a".into(), "c".into()));
        scope.spawn(|| map.rename(&"b".into(), "d".into()));
        scope.spawn(|| map.all().len());
    });
    println!("{}", map.all().iter().map(|shard| shard.len()).sum::<usize>());
}
