//! The end of changes to tries: their new nodes hashed level by level, the lowest first, so that the nodes of one level are
//! hashed together, over all tries.

use super::node::{CHILDREN, Child, Node, encode};
use super::nodes::NodeCache;
use super::{Changes, EMPTY_ROOT, NewNode};
use crate::keccak::keccak256_each;
use core::ops::Range;
use revm::primitives::B256;
use std::rc::Rc;

/// A trie after its changes, not hashed yet.
#[derive(Default)]
pub struct Changed {
    pub(super) root: Option<Child>,
    pub dead: Vec<B256>,
}

/// The shortest encoding that a parent refers to by hash.
const HASHED_BYTES: usize = 32;
const NO_PARENT: usize = usize::MAX;

enum Root {
    Kept(B256),
    /// index of its place
    New(usize),
}

struct Place {
    /// None while its children are visited, and after it was put into its parent
    node: Option<Rc<Node>>,
    parent: usize,
    /// of the parent's children
    slot: usize,
    encoded: Range<usize>,
    /// set once it is hashed
    hash: Option<B256>,
}

#[derive(Default)]
struct Levels {
    /// Parents before their children.
    places: Vec<Place>,
    /// Indices of places by their height above the lowest new node below them.
    by_height: Vec<Vec<usize>>,
    /// Indices of places, children before their parents.
    order: Vec<usize>,
}

/// The roots of `tries`. New and replaced nodes are added to `changes`: trie by trie, children before their parents.
pub fn commit(tries: Vec<Changed>, cache: &mut NodeCache, changes: &mut Changes) -> Vec<B256> {
    let mut levels = Levels::default();
    let mut roots = Vec::with_capacity(tries.len());
    for mut trie in tries {
        changes.dead.append(&mut trie.dead);
        roots.push(match trie.root {
            None => Root::Kept(EMPTY_ROOT),
            Some(Child::Stored(hash)) => Root::Kept(hash),
            Some(Child::Here(node)) => Root::New(levels.top(node)),
        });
    }
    for height in 0..levels.by_height.len() {
        levels.settle(height, cache, &mut changes.bytes);
    }
    changes.nodes.extend(levels.order.iter().filter_map(|index| {
        let place = &levels.places[*index];
        place.hash.map(|hash| NewNode {
            hash,
            encoded: place.encoded.clone(),
        })
    }));
    roots
        .into_iter()
        .map(|root| match root {
            Root::Kept(hash) => hash,
            Root::New(top) => levels.places[top].hash.expect("a root is always hashed"),
        })
        .collect()
}

impl Levels {
    /// The place of a new root.
    fn top(&mut self, node: Rc<Node>) -> usize {
        let index = self.places.len();
        self.visit(node, NO_PARENT, 0);
        index
    }

    /// Takes the new nodes below `node` out of it. Returns its height.
    fn visit(&mut self, mut node: Rc<Node>, parent: usize, slot: usize) -> usize {
        let index = self.places.len();
        self.places.push(Place {
            node: None,
            parent,
            slot,
            encoded: 0..0,
            hash: None,
        });
        let mut height = 0;
        if node.has_new() {
            let own = Rc::make_mut(&mut node);
            for slot in 0..CHILDREN {
                if let Some(below) = own.child_mut(slot).and_then(taken) {
                    height = height.max(1 + self.visit(below, index, slot));
                }
            }
        }
        self.places[index].node = Some(node);
        if self.by_height.len() == height {
            self.by_height.push(Vec::new());
        }
        self.by_height[height].push(index);
        self.order.push(index);
        height
    }

    /// Puts the nodes of one height into their parents: by hash, or as they are under 32 bytes.
    fn settle(&mut self, height: usize, cache: &mut NodeCache, bytes: &mut Vec<u8>) {
        let indices = core::mem::take(&mut self.by_height[height]);
        let mut hashed = Vec::with_capacity(indices.len());
        for index in &indices {
            let place = &mut self.places[*index];
            let Some(node) = &place.node else { continue };
            let start = bytes.len();
            encode(node, bytes);
            if place.parent == NO_PARENT || bytes.len() - start >= HASHED_BYTES {
                place.encoded = start..bytes.len();
                hashed.push(*index);
            } else {
                bytes.truncate(start);
            }
        }
        let messages: Vec<&[u8]> = hashed
            .iter()
            .map(|index| &bytes[self.places[*index].encoded.clone()])
            .collect();
        for (index, hash) in hashed.iter().zip(keccak256_each(&messages)) {
            self.places[*index].hash = Some(hash);
        }
        for index in indices {
            self.hand_up(index, cache);
        }
    }

    fn hand_up(&mut self, index: usize, cache: &mut NodeCache) {
        let place = &mut self.places[index];
        let (parent, slot) = (place.parent, place.slot);
        let Some(node) = place.node.take() else { return };
        let child = match place.hash {
            None => Child::Here(node),
            Some(hash) => {
                cache.set(hash, node);
                Child::Stored(hash)
            }
        };
        if parent == NO_PARENT {
            return;
        }
        if let Some(above) = &mut self.places[parent].node
            && let Some(held) = Rc::make_mut(above).child_mut(slot)
        {
            *held = child;
        }
    }
}

/// A new node out of its parent.
fn taken(child: &mut Child) -> Option<Rc<Node>> {
    if matches!(child, Child::Stored(_)) {
        return None;
    }
    match core::mem::replace(child, Child::Stored(B256::ZERO)) {
        Child::Stored(_) => None,
        Child::Here(node) => Some(node),
    }
}
