//! Graph algorithms on adjacency lists.
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};

#[derive(Debug, Clone, Default)]
struct Graph {
    names: Vec<String>,
    ids: HashMap<String, usize>,
    edges: Vec<Vec<(usize, u32)>>,
}

#[derive(Debug, PartialEq)]
enum Order {
    Sorted(Vec<String>),
    Cycle(Vec<String>),
}

impl Graph {
    fn parse(text: &str) -> Result<Graph, String> {
        let mut g = Graph::default();
        for (n, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let mut parts = line.split("->").map(str::trim);
            let (Some(a), Some(b), None) = (parts.next(), parts.next(), parts.next()) else {
                return Err(format!("line {}: bad edge {line:?}", n + 1));
            };
            let (b, w) = match b.split_once(':') {
                Some((b, w)) => (b, w.trim().parse::<u32>().map_err(|e| format!("line {}: {e}", n + 1))?),
                None => (b, 1),
            };
            let (a, b) = (g.id(a), g.id(b));
            g.edges[a].push((b, w));
        }
        Ok(g)
    }
    fn id(&mut self, name: &str) -> usize {
        if let Some(&i) = self.ids.get(name) {
            return i;
        }
        let i = self.names.len();
        self.names.push(name.to_string());
        self.ids.insert(name.to_string(), i);
        self.edges.push(vec![]);
        i
    }
    fn name(&self, i: usize) -> &str {
        &self.names[i]
    }
    fn show(&self, ids: impl IntoIterator<Item = usize>) -> String {
        ids.into_iter().map(|i| self.name(i)).collect::<Vec<_>>().join(" ")
    }
    fn bfs(&self, start: usize) -> Vec<(usize, usize)> {
        let mut dist = vec![None; self.names.len()];
        dist[start] = Some(0);
        let mut q = VecDeque::from([start]);
        let mut out = vec![];
        while let Some(v) = q.pop_front() {
            let d = dist[v].unwrap();
            out.push((v, d));
            for &(w, _) in &self.edges[v] {
                if dist[w].is_none() {
                    dist[w] = Some(d + 1);
                    q.push_back(w);
                }
            }
        }
        out
    }
    fn dfs(&self, v: usize, seen: &mut HashSet<usize>, pre: &mut dyn FnMut(usize), post: &mut dyn FnMut(usize)) {
        if !seen.insert(v) {
            return;
        }
        pre(v);
        for &(w, _) in &self.edges[v] {
            self.dfs(w, seen, pre, post);
        }
        post(v);
    }
    fn dijkstra(&self, start: usize, goal: usize) -> Option<(u32, Vec<usize>)> {
        let mut best: BTreeMap<usize, (u32, Option<usize>)> = BTreeMap::from([(start, (0, None))]);
        let mut heap = BinaryHeap::from([Reverse((0, start))]);
        while let Some(Reverse((d, v))) = heap.pop() {
            if v == goal {
                let path = std::iter::successors(Some(goal), |v| best[v].1).collect::<Vec<_>>();
                return Some((d, path.into_iter().rev().collect()));
            }
            if d > best[&v].0 {
                continue;
            }
            for &(w, c) in &self.edges[v] {
                let nd = d + c;
                if best.get(&w).is_none_or(|&(old, _)| nd < old) {
                    best.insert(w, (nd, Some(v)));
                    heap.push(Reverse((nd, w)));
                }
            }
        }
        None
    }
    fn topo(&self) -> Order {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        fn visit(g: &Graph, v: usize, marks: &mut [Mark], stack: &mut Vec<usize>, out: &mut Vec<usize>) -> Result<(), Vec<usize>> {
            match marks[v] {
                Mark::Done => return Ok(()),
                Mark::Open => {
                    let from = stack.iter().position(|&s| s == v).unwrap();
                    return Err(stack[from..].to_vec());
                }
                Mark::New => {}
            }
            marks[v] = Mark::Open;
            stack.push(v);
            for &(w, _) in &g.edges[v] {
                visit(g, w, marks, stack, out)?;
            }
            stack.pop();
            marks[v] = Mark::Done;
            out.push(v);
            Ok(())
        }
        let mut marks = vec![Mark::New; self.names.len()];
        let mut out = vec![];
        for v in 0..self.names.len() {
            if let Err(cycle) = visit(self, v, &mut marks, &mut vec![], &mut out) {
                return Order::Cycle(cycle.into_iter().map(|v| self.names[v].clone()).collect());
            }
        }
        Order::Sorted(out.into_iter().rev().map(|v| self.names[v].clone()).collect())
    }
    fn reversed(&self) -> Graph {
        let mut g = Graph { edges: vec![vec![]; self.edges.len()], ..self.clone() };
        for (v, es) in self.edges.iter().enumerate() {
            for &(w, c) in es {
                g.edges[w].push((v, c));
            }
        }
        g
    }
    fn components(&self) -> Vec<BTreeSet<&str>> {
        let mut finished = vec![];
        let mut seen = HashSet::new();
        for v in 0..self.names.len() {
            self.dfs(v, &mut seen, &mut |_| {}, &mut |v| finished.push(v));
        }
        let rev = self.reversed();
        let mut seen = HashSet::new();
        let mut out = vec![];
        for &v in finished.iter().rev() {
            let mut comp = BTreeSet::new();
            rev.dfs(v, &mut seen, &mut |w| { comp.insert(self.name(w)); }, &mut |_| {});
            if !comp.is_empty() {
                out.push(comp);
            }
        }
        out
    }
}

struct UnionFind {
    parent: Vec<usize>,
    size: Vec<u32>,
}
impl UnionFind {
    fn new(n: usize) -> Self {
        UnionFind { parent: (0..n).collect(), size: vec![1; n] }
    }
    fn find(&mut self, v: usize) -> usize {
        if self.parent[v] != v {
            self.parent[v] = self.find(self.parent[v]);
        }
        self.parent[v]
    }
    fn union(&mut self, a: usize, b: usize) -> bool {
        let (mut a, mut b) = (self.find(a), self.find(b));
        if a == b {
            return false;
        }
        if self.size[a] < self.size[b] {
            std::mem::swap(&mut a, &mut b);
        }
        self.parent[b] = a;
        self.size[a] += self.size[b];
        true
    }
}
fn kruskal(g: &Graph) -> (u32, Vec<(&str, &str)>) {
    let mut es: Vec<(u32, usize, usize)> = g.edges.iter().enumerate().flat_map(|(v, es)| es.iter().map(move |&(w, c)| (c, v, w))).collect();
    es.sort_unstable();
    let mut uf = UnionFind::new(g.names.len());
    let (mut total, mut tree) = (0, vec![]);
    for (c, a, b) in es {
        if uf.union(a, b) {
            total += c;
            tree.push((g.name(a), g.name(b)));
        }
    }
    (total, tree)
}
fn floyd(g: &Graph) -> Vec<Vec<Option<u32>>> {
    let n = g.names.len();
    let mut d = vec![vec![None; n]; n];
    for v in 0..n {
        d[v][v] = Some(0);
        for &(w, c) in &g.edges[v] {
            d[v][w] = Some(d[v][w].map_or(c, |x: u32| x.min(c)));
        }
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                if let (Some(a), Some(b)) = (d[i][k], d[k][j]) {
                    d[i][j] = Some(d[i][j].map_or(a + b, |x| x.min(a + b)));
                }
            }
        }
    }
    d
}

fn main() {
    let g = Graph::parse("a -> b: 4\na -> c: 1\nc -> b: 2\nb -> d: 5\nc -> d: 8\nd -> e: 3\n\nf -> e: 1").unwrap_or_else(|e| panic!("{e}"));
    println!("{:?}", Graph::parse("a -> b\na => c").unwrap_err());
    let g = if g.names.is_empty() { Graph::parse("x -> y: z").unwrap() } else { g };
    println!("{:?}", g.bfs(0).iter().map(|&(v, d)| (g.name(v), d)).collect::<Vec<_>>());
    let (mut pre, mut post) = (vec![], vec![]);
    g.dfs(0, &mut HashSet::new(), &mut |v| pre.push(v), &mut |v| post.push(v));
    println!("{} | {}", g.show(pre), g.show(post));
    let goal = g.ids["e"];
    let (d, path) = g.dijkstra(0, goal).unwrap();
    println!("{d} {}", g.show(path));
    println!("{:?}", g.dijkstra(goal, 0));
    println!("{:?}", g.topo());
    println!("{:?}", kruskal(&g));
    for (v, row) in floyd(&g).iter().enumerate() {
        println!("{} {}", g.name(v), row.iter().map(|d| d.map_or("-".to_string(), |d| d.to_string())).collect::<Vec<_>>().join(" "));
    }
    let c = Graph::parse("1 -> 2\n2 -> 3\n3 -> 1\n3 -> 4\n4 -> 5\n5 -> 4\n6 -> 5").unwrap();
    println!("{:?}", c.topo());
    println!("{:?}", c.components());
    println!("{:?}", Graph::parse("x -> y: z").unwrap_err());
}
