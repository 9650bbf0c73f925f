//! Paths through the tree of one lane.
//!
//! Nothing recurses and nothing is visited twice: a tree may be a chain of hundreds of thousands of entries, may be
//! truncated, tangled or circular.

use rustc_hash::FxHashSet;

use crate::fold::{Node, NodeId, NodeKind};
use crate::number::Number;

/// Nodes that belong together, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) nodes: Vec<NodeId>,
    /// Where it branches off another path.
    pub(super) origin: Option<NodeId>,
}

/// The paths of a lane: first the one that the conversation took, then the rewound ones.
///
/// `leaf` is the last node of the conversation, where the program names it. `places` is scratch space with a slot for
/// each node of all lanes: there may be very many lanes.
pub(super) fn paths(
    nodes: &[Node],
    mut members: Vec<NodeId>,
    leaf: Option<NodeId>,
    places: &mut [Option<Number>],
) -> Vec<Path> {
    let order = |id: &NodeId| nodes.get(id.index()).map(|node| (node.order, *id));
    if !members.is_sorted_by_key(order) {
        members.sort_by_key(order);
    }
    let tree = Tree::new(nodes, members, places);
    let mut division = Division {
        tree: &tree,
        path_of: vec![None; tree.len()],
        goes_on_by_user: vec![false; tree.len()],
        paths: Vec::new(),
        messages: Vec::new(),
    };
    division.main(leaf);
    division.rest();
    division.finish()
}

/// An index into the lane's nodes.
type At = Number;

/// The nodes of a lane in order, with their parents.
struct Tree<'n> {
    nodes: &'n [Node],
    members: Vec<NodeId>,
    parents: Vec<Option<At>>,
}

impl<'n> Tree<'n> {
    fn new(nodes: &'n [Node], members: Vec<NodeId>, places: &mut [Option<At>]) -> Self {
        for (at, id) in members.iter().enumerate() {
            if let Some(place) = places.get_mut(id.index()) {
                *place = Some(At::new(at));
            }
        }
        let parent = |id: &NodeId| {
            let parent = nodes.get(id.index())?.parent.filter(|parent| parent != id)?;
            // A slot left over from another lane does not refer to this one.
            let place = places.get(parent.index()).copied().flatten()?;
            (members.get(place.index()) == Some(&parent)).then_some(place)
        };
        let parents = members.iter().map(parent).collect();
        let mut tree = Self { nodes, members, parents };
        tree.cut_circles();
        tree
    }

    fn len(&self) -> usize {
        self.members.len()
    }

    /// All indices, first to last.
    fn places(&self) -> impl DoubleEndedIterator<Item = At> + use<> {
        (0..self.members.len()).map(At::new)
    }

    fn node(&self, at: At) -> Option<&'n Node> {
        self.nodes.get(self.members.get(at.index())?.index())
    }

    fn kind(&self, at: At) -> NodeKind {
        self.node(at).map_or(NodeKind::Beside, |node| node.kind)
    }

    fn speaks(&self, at: At) -> bool {
        matches!(self.kind(at), NodeKind::Prompt | NodeKind::Assistant | NodeKind::Result | NodeKind::Command)
    }

    fn parent(&self, at: At) -> Option<At> {
        self.parents.get(at.index()).copied().flatten()
    }

    /// Makes the earliest node of every circle a root.
    fn cut_circles(&mut self) {
        let mut walk_of: Vec<Option<At>> = vec![None; self.len()];
        for start in self.places() {
            let mut at = start;
            loop {
                match walk_of.get_mut(at.index()) {
                    Some(walk @ None) => *walk = Some(start),
                    Some(Some(walk)) if *walk == start => {
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
        if let Some(parent) = self.parents.get_mut(earliest.index()) {
            *parent = None;
        }
    }

    /// The ends of possible paths: the last speaking node above each node without children.
    fn leaves(&self) -> Vec<At> {
        let mut is_end = vec![true; self.len()];
        for parent in self.parents.iter().flatten() {
            if let Some(end) = is_end.get_mut(parent.index()) {
                *end = false;
            }
        }
        // Where an earlier walk has passed, the speaker above is already known.
        let mut is_seen = vec![false; self.len()];
        let mut leaves = Vec::new();
        for end in self.places().filter(|at| is_end.get(at.index()) == Some(&true)) {
            let mut at = Some(end);
            while let Some(here) = at {
                let Some(seen) = is_seen.get_mut(here.index()) else { break };
                if std::mem::replace(seen, true) {
                    break;
                }
                if self.speaks(here) {
                    leaves.push(here);
                    break;
                }
                at = self.parent(here);
            }
        }
        // A command such as `/exit` may hang anywhere: what counts is the message that it follows.
        leaves.sort_by_cached_key(|at| (self.without_commands(*at), *at));
        if leaves.last().is_some_and(|last| self.kind(self.without_commands(*last)) == NodeKind::Result) {
            let gone_on = self.gone_on();
            leaves.sort_by_cached_key(|at| (!self.is_late(*at, &gone_on), self.without_commands(*at), *at));
        }
        leaves
    }

    /// The last message before the commands that end with this node.
    fn without_commands(&self, leaf: At) -> At {
        let mut at = leaf;
        // Few commands follow one another.
        for _ in 0..100 {
            match self.kind(at) {
                NodeKind::Prompt | NodeKind::Assistant | NodeKind::Result => return at,
                NodeKind::Command | NodeKind::Meta | NodeKind::Beside => {}
            }
            let Some(parent) = self.parent(at) else { break };
            at = parent;
        }
        leaf
    }

    /// Whether a result is late: the conversation had already continued after the message it answers.
    fn is_late(&self, at: At, gone_on: &FxHashSet<u64>) -> bool {
        let mut above = self.parent(at).filter(|_| self.kind(at) == NodeKind::Result);
        // A result usually hangs on its call, or on a neighbour of it.
        for _ in 0..100 {
            let Some(node) = above.and_then(|at| self.node(at)) else { return false };
            if node.kind == NodeKind::Assistant {
                return gone_on.contains(&node.message);
            }
            above = above.and_then(|at| self.parent(at));
        }
        false
    }

    /// The API messages that are followed by another message or prompt.
    fn gone_on(&self) -> FxHashSet<u64> {
        let speaks = |at: At| matches!(self.kind(at), NodeKind::Prompt | NodeKind::Assistant | NodeKind::Command);
        let message = |at: At| self.node(at).map_or(0, |node| node.message);
        let mut above: Vec<Option<Option<At>>> = vec![None; self.len()];
        let mut way = Vec::new();
        let mut gone_on = FxHashSet::default();
        for start in self.places().filter(|at| speaks(*at)) {
            let mut at = start;
            let speaker = loop {
                if let Some(known) = above.get(at.index()).copied().flatten() {
                    break known;
                }
                way.push(at);
                match self.parent(at) {
                    Some(parent) if !speaks(parent) => at = parent,
                    parent => break parent,
                }
            };
            for at in way.drain(..) {
                if let Some(above) = above.get_mut(at.index()) {
                    *above = Some(speaker);
                }
            }
            gone_on.extend(speaker.map(message).filter(|above| *above != 0 && *above != message(start)));
        }
        gone_on
    }

    /// The path from the root, or from where `stop` holds, down to a node; and the node that stopped it.
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

/// The division of nodes into paths.
struct Division<'t> {
    tree: &'t Tree<'t>,
    path_of: Vec<Option<Number>>,
    /// Whether the path of a node goes on with a prompt, or ends there: then a model's message beside it was left by
    /// the user. Otherwise the model itself went on, and both belong to the same work.
    goes_on_by_user: Vec<bool>,
    paths: Vec<UnfinishedPath>,
    /// The API messages on each path.
    messages: Vec<FxHashSet<u64>>,
}

/// A path under construction.
#[derive(Default)]
struct UnfinishedPath {
    /// Its own nodes, from start to end.
    spine: Vec<At>,
    /// Nodes beside it, with the nodes they hang on.
    beside: Vec<(At, At)>,
    origin: Option<At>,
}

impl Division<'_> {
    /// The path that the conversation took.
    ///
    /// It ends at the last speaking node, and every root begins a part of it: compaction, `/clear` in old versions and
    /// lost lines all start a new root.
    fn main(&mut self, leaf: Option<NodeId>) {
        self.paths.push(UnfinishedPath::default());
        self.messages.push(FxHashSet::default());
        let named = leaf.and_then(|leaf| self.tree.members.iter().position(|id| *id == leaf)).map(At::new);
        let leaves = self.tree.leaves();
        let mut parts = Vec::new();
        // Marks nodes that lead back to the conversation, so that they are walked only once.
        let mut leads_back = vec![false; self.tree.len()];
        for leaf in named.into_iter().chain(leaves.into_iter().rev()).chain(self.tree.places().rev()) {
            let leads_back_at = |at: At| leads_back.get(at.index()) == Some(&true);
            if self.is_taken(leaf) || leads_back_at(leaf) {
                continue;
            }
            let (way, met) = self.tree.way_up(leaf, |at| self.is_taken(at) || leads_back_at(at));
            // Only a path with a root of its own is part of the conversation; `rest` handles the others.
            if met.is_some() {
                for at in way {
                    leads_back.get_mut(at.index()).into_iter().for_each(|leads_back| *leads_back = true);
                }
                continue;
            }
            for at in &way {
                self.take(*at, 0);
            }
            if way.iter().any(|at| self.tree.speaks(*at)) {
                parts.push(way);
            } else if let Some(main) = self.paths.first_mut() {
                // A path without a message is not a part of its own.
                main.beside.extend(way.into_iter().map(|at| (at, at)));
            }
        }
        parts.sort_by_key(|part| part.first().copied());
        if let Some(main) = self.paths.first_mut() {
            main.spine = parts.concat();
        }
        self.note_what_follows(0);
    }

    fn note_what_follows(&mut self, path: usize) {
        let mut by_user = true;
        for at in self.paths.get(path).map(|path| path.spine.as_slice()).unwrap_or_default().iter().rev() {
            self.goes_on_by_user.get_mut(at.index()).into_iter().for_each(|slot| *slot = by_user);
            match self.tree.kind(*at) {
                NodeKind::Prompt | NodeKind::Command => by_user = true,
                NodeKind::Assistant => by_user = false,
                NodeKind::Result | NodeKind::Meta | NodeKind::Beside => {}
            }
        }
    }

    fn is_taken(&self, at: At) -> bool {
        self.path_of.get(at.index()).is_some_and(Option::is_some)
    }

    fn take(&mut self, at: At, path: usize) {
        if let Some(slot) = self.path_of.get_mut(at.index()) {
            *slot = Some(Number::new(path));
        }
        if let (Some(messages), Some(node)) = (self.messages.get_mut(path), self.tree.node(at))
            && node.message != 0
        {
            messages.insert(node.message);
        }
    }

    /// Everything off the main path: beside it, or rewound.
    fn rest(&mut self) {
        for leaf in self.tree.places().rev() {
            if self.is_taken(leaf) {
                continue;
            }
            let (way, met) = self.tree.way_up(leaf, |at| self.is_taken(at));
            let Some(met) = met else { continue };
            let path = self.path_of.get(met.index()).copied().flatten().map_or(0, Number::index);
            let is_left_by_user = self.goes_on_by_user.get(met.index()) == Some(&true);
            let is_answered = |at: &At| matches!(self.tree.kind(*at), NodeKind::Prompt | NodeKind::Assistant);
            let answered = way.iter().rposition(is_answered).unwrap_or(0);
            let left = way.iter().enumerate().position(|(number, at)| match self.tree.kind(*at) {
                // Only a command that led to something is worth going back to.
                NodeKind::Command => number < answered && self.leaves(*at, path),
                NodeKind::Assistant => is_left_by_user && self.leaves(*at, path),
                NodeKind::Prompt | NodeKind::Result | NodeKind::Meta | NodeKind::Beside => self.leaves(*at, path),
            });
            // Parallel calls and their results belong together, even if the conversation continued elsewhere.
            let belongs = |at: &At| matches!(self.tree.kind(*at), NodeKind::Assistant | NodeKind::Result);
            let beside = match left {
                Some(left) => way.iter().take(left).rposition(belongs).map_or(0, |last| last + 1),
                None => way.len(),
            };
            let mut hangs_on = met;
            for at in way.iter().take(beside) {
                self.take(*at, path);
                self.goes_on_by_user.get_mut(at.index()).into_iter().for_each(|slot| *slot = is_left_by_user);
                if let Some(path) = self.paths.get_mut(path) {
                    path.beside.push((*at, met));
                }
                hangs_on = *at;
            }
            let spine: Vec<At> = way.into_iter().skip(beside).collect();
            if !spine.is_empty() {
                let branch = self.paths.len();
                self.messages.push(FxHashSet::default());
                for at in &spine {
                    self.take(*at, branch);
                }
                self.paths.push(UnfinishedPath { spine, beside: Vec::new(), origin: Some(hangs_on) });
                self.note_what_follows(branch);
            }
        }
    }

    /// Whether a node is not part of a path: a different prompt, or a different answer of the model.
    fn leaves(&self, at: At, path: usize) -> bool {
        // Nothing rewinds an agent, and progress entries do not say what an entry follows.
        let is_new = |node: &&Node| node.copy_of.is_none() && !node.inside;
        let Some(node) = self.tree.node(at).filter(is_new) else { return false };
        match node.kind {
            NodeKind::Prompt | NodeKind::Command => true,
            NodeKind::Assistant => {
                let is_same = self.messages.get(path).is_some_and(|messages| messages.contains(&node.message));
                node.message == 0 || !is_same
            }
            NodeKind::Result | NodeKind::Meta | NodeKind::Beside => false,
        }
    }

    fn finish(self) -> Vec<Path> {
        let id = |at: At| self.tree.members.get(at.index()).copied();
        let mut places = vec![None; self.tree.len()];
        let mut nodes = |path: &UnfinishedPath| path.in_order(&mut places).into_iter().filter_map(id).collect();
        self.paths.iter().map(|path| Path { nodes: nodes(path), origin: path.origin.and_then(id) }).collect()
    }
}

impl UnfinishedPath {
    /// The nodes beside the path go where they are in the file, but not before the node that they hang on.
    ///
    /// `places` is scratch space for the position of each node on the path.
    fn in_order(&self, places: &mut [Option<Number>]) -> Vec<At> {
        let mut latest = None;
        let mut reached = Vec::with_capacity(self.spine.len());
        for (place, at) in self.spine.iter().enumerate() {
            latest = latest.max(Some(*at));
            reached.push(latest);
            if let Some(slot) = places.get_mut(at.index()) {
                *slot = Some(Number::new(place));
            }
        }
        let place = |(at, hangs_on): &(At, At)| {
            let earliest = places.get(hangs_on.index()).copied().flatten().map_or(0, |place| place.index() + 1);
            (reached.partition_point(|reached| *reached < Some(*at)).max(earliest), *at)
        };
        let mut beside: Vec<(usize, At)> = self.beside.iter().map(place).collect();
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
