//! Paths through the tree of one lane.
//!
//! Nothing recurses and nothing is walked twice: trees may be chains of hundreds
//! of thousands of entries, may be cut, tangled or in circles.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::fold::{Node, NodeId, NodeKind};

/// Nodes that belong together, in their order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) nodes: Vec<NodeId>,
    /// Where it leaves another path.
    pub(super) origin: Option<NodeId>,
}

/// The paths of a lane: first the one that the conversation took, then those that it left.
///
/// `leaf` is the last node of the conversation, where the program says so.
pub(super) fn paths(nodes: &[Node], mut members: Vec<NodeId>, leaf: Option<NodeId>) -> Vec<Path> {
    let order = |id: &NodeId| nodes.get(id.0 as usize).map(|node| (node.order, *id));
    members.sort_by_key(order);
    let tree = Tree::new(nodes, members);
    let mut division =
        Division { tree: &tree, path_of: vec![None; tree.len()], paths: Vec::new(), messages: Vec::new() };
    division.main(leaf);
    division.rest();
    division.finish()
}

/// A place in the lane's order.
type At = usize;

/// The nodes of a lane in their order, with whom they follow.
struct Tree<'n> {
    nodes: &'n [Node],
    members: Vec<NodeId>,
    parents: Vec<Option<At>>,
}

impl<'n> Tree<'n> {
    fn new(nodes: &'n [Node], members: Vec<NodeId>) -> Self {
        let places: FxHashMap<NodeId, At> = members.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let parent = |id: &NodeId| {
            let parent = nodes.get(id.0 as usize)?.parent.filter(|parent| parent != id)?;
            places.get(&parent).copied()
        };
        let parents = members.iter().map(parent).collect();
        let mut tree = Self { nodes, members, parents };
        tree.cut_circles();
        tree
    }

    fn len(&self) -> usize {
        self.members.len()
    }

    fn node(&self, at: At) -> Option<&'n Node> {
        self.nodes.get(self.members.get(at)?.0 as usize)
    }

    fn kind(&self, at: At) -> NodeKind {
        self.node(at).map_or(NodeKind::Beside, |node| node.kind)
    }

    fn parent(&self, at: At) -> Option<At> {
        self.parents.get(at).copied().flatten()
    }

    /// Makes the earliest node of every circle a root.
    fn cut_circles(&mut self) {
        let mut walk_of = vec![usize::MAX; self.len()];
        for start in 0..self.len() {
            let mut at = start;
            loop {
                match walk_of.get_mut(at) {
                    Some(walk) if *walk == usize::MAX => *walk = start,
                    Some(walk) if *walk == start => {
                        self.cut_circle(at);
                        break;
                    }
                    _ => break,
                }
                match self.parent(at) {
                    Some(parent) => at = parent,
                    None => break,
                }
            }
        }
    }

    fn cut_circle(&mut self, entrance: At) {
        let (mut earliest, mut at) = (entrance, entrance);
        while let Some(parent) = self.parent(at).filter(|parent| *parent != entrance) {
            earliest = earliest.min(parent);
            at = parent;
        }
        if let Some(parent) = self.parents.get_mut(earliest) {
            *parent = None;
        }
    }

    /// For every node the next one above it, or itself, where somebody speaks.
    fn speakers(&self) -> Vec<Option<At>> {
        let speaks = |at: At| matches!(self.kind(at), NodeKind::Prompt | NodeKind::Assistant | NodeKind::Result);
        let mut found: Vec<Option<Option<At>>> = vec![None; self.len()];
        let mut way = Vec::new();
        for start in 0..self.len() {
            let mut at = Some(start);
            let speaker = loop {
                let Some(here) = at else { break None };
                if let Some(known) = found.get(here).copied().flatten() {
                    break known;
                }
                if speaks(here) {
                    break Some(here);
                }
                way.push(here);
                at = self.parent(here);
            };
            if let Some(slot) = found.get_mut(start) {
                *slot = Some(speaker);
            }
            for here in way.drain(..) {
                if let Some(slot) = found.get_mut(here) {
                    *slot = Some(speaker);
                }
            }
        }
        found.into_iter().map(Option::flatten).collect()
    }

    /// Nodes that nobody follows.
    fn ends(&self) -> Vec<bool> {
        let mut ends = vec![true; self.len()];
        for parent in self.parents.iter().flatten() {
            if let Some(end) = ends.get_mut(*parent) {
                *end = false;
            }
        }
        ends
    }

    /// From a node up to the root or to where `stop` says, upside down.
    fn way_up(&self, from: At, stop: impl Fn(At) -> bool) -> (Vec<At>, Option<At>) {
        let mut way = Vec::new();
        let mut at = Some(from);
        while let Some(here) = at {
            if stop(here) {
                break;
            }
            way.push(here);
            at = self.parent(here);
        }
        way.reverse();
        (way, at)
    }
}

/// Nodes as they are divided among paths.
struct Division<'t> {
    tree: &'t Tree<'t>,
    path_of: Vec<Option<usize>>,
    paths: Vec<Growing>,
    /// The API messages on each path.
    messages: Vec<FxHashSet<u64>>,
}

/// A path as it grows.
#[derive(Default)]
struct Growing {
    /// Its own nodes, from its beginning to its end.
    spine: Vec<At>,
    /// Nodes beside it, with those they hang on.
    beside: Vec<(At, At)>,
    origin: Option<At>,
}

impl Division<'_> {
    /// The path that the conversation took.
    ///
    /// It ends at the speaker that comes last, and every root begins a part of it: compaction, `/clear` in old
    /// versions and lost lines all begin anew.
    fn main(&mut self, leaf: Option<NodeId>) {
        self.paths.push(Growing::default());
        self.messages.push(FxHashSet::default());
        let (ends, speakers) = (self.tree.ends(), self.tree.speakers());
        let named = leaf.and_then(|leaf| self.tree.members.iter().position(|id| *id == leaf));
        let last_speaker = ends.iter().zip(&speakers).filter_map(|(end, speaker)| speaker.filter(|_| *end)).max();
        let mut parts = Vec::new();
        let mut leaves: Vec<At> = named.or(last_speaker).into_iter().collect();
        let others = ends.iter().zip(&speakers).filter_map(|(end, speaker)| speaker.filter(|_| *end));
        let mut others: Vec<At> = others.collect();
        others.sort_unstable_by(|a, b| b.cmp(a));
        leaves.extend(others);
        leaves.extend((0..self.tree.len()).rev());
        for leaf in leaves {
            let (way, met) = self.tree.way_up(leaf, |at| self.is_taken(at));
            // Only what begins at a root of its own is a part of the conversation; the rest is looked at later.
            if met.is_none() && !way.is_empty() {
                for at in &way {
                    self.take(*at, 0);
                }
                parts.push(way);
            }
        }
        parts.sort_by_key(|part| part.first().copied());
        if let Some(main) = self.paths.first_mut() {
            main.spine = parts.concat();
        }
    }

    fn is_taken(&self, at: At) -> bool {
        self.path_of.get(at).is_some_and(Option::is_some)
    }

    fn take(&mut self, at: At, path: usize) {
        if let Some(slot) = self.path_of.get_mut(at) {
            *slot = Some(path);
        }
        if let (Some(messages), Some(node)) = (self.messages.get_mut(path), self.tree.node(at))
            && node.message != 0
        {
            messages.insert(node.message);
        }
    }

    /// Everything that is not on the way: beside it, or left behind.
    fn rest(&mut self) {
        for leaf in (0..self.tree.len()).rev() {
            let (way, met) = self.tree.way_up(leaf, |at| self.is_taken(at));
            let (Some(met), false) = (met, way.is_empty()) else { continue };
            let path = self.path_of.get(met).copied().flatten().unwrap_or_default();
            let left = way.iter().position(|at| self.leaves(*at, path)).unwrap_or(way.len());
            // What was asked together and answered together belongs together, even if the way went on elsewhere.
            let belongs = |at: &At| matches!(self.tree.kind(*at), NodeKind::Assistant | NodeKind::Result);
            let beside = match left {
                left if left == way.len() => left,
                left => way.iter().take(left).rposition(belongs).map_or(0, |last| last + 1),
            };
            let mut hangs_on = met;
            for at in way.iter().take(beside) {
                self.take(*at, path);
                if let Some(path) = self.paths.get_mut(path) {
                    path.beside.push((*at, met));
                }
                hangs_on = *at;
            }
            let spine: Vec<At> = way.into_iter().skip(beside).collect();
            if !spine.is_empty() {
                let branch = self.paths.len();
                self.messages.push(FxHashSet::default());
                spine.iter().for_each(|at| self.take(*at, branch));
                self.paths.push(Growing { spine, beside: Vec::new(), origin: Some(hangs_on) });
            }
        }
    }

    /// Whether the conversation left its way here: somebody asked something else, or the model said something else.
    fn leaves(&self, at: At, path: usize) -> bool {
        let Some(node) = self.tree.node(at) else { return false };
        match node.kind {
            NodeKind::Prompt => node.copy_of.is_none(),
            NodeKind::Assistant => {
                let same = self.messages.get(path).is_some_and(|messages| messages.contains(&node.message));
                node.copy_of.is_none() && !(node.message != 0 && same)
            }
            NodeKind::Result | NodeKind::Meta | NodeKind::Beside => false,
        }
    }

    fn finish(self) -> Vec<Path> {
        let id = |at: At| self.tree.members.get(at).copied();
        let nodes = |path: &Growing| path.in_order().into_iter().filter_map(id).collect();
        self.paths.iter().map(|path| Path { nodes: nodes(path), origin: path.origin.and_then(id) }).collect()
    }
}

impl Growing {
    /// What is beside the path comes where it stands in the file, but not before what it hangs on.
    fn in_order(&self) -> Vec<At> {
        let place: FxHashMap<At, usize> = self.spine.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        let mut latest = 0;
        let reached: Vec<At> = self
            .spine
            .iter()
            .map(|at| {
                latest = latest.max(*at);
                latest
            })
            .collect();
        let mut beside: Vec<(usize, At)> = self
            .beside
            .iter()
            .map(|(at, hangs_on)| {
                let earliest = place.get(hangs_on).map_or(0, |place| place + 1);
                (reached.partition_point(|reached| reached < at).max(earliest), *at)
            })
            .collect();
        beside.sort_unstable();
        let mut beside = beside.into_iter().peekable();
        let mut ordered = Vec::with_capacity(self.spine.len() + self.beside.len());
        for (place, at) in self.spine.iter().enumerate() {
            while let Some((_, at)) = beside.next_if(|(before, _)| *before <= place) {
                ordered.push(at);
            }
            ordered.push(*at);
        }
        ordered.extend(beside.map(|(_, at)| at));
        ordered
    }
}
