//! The nodes of a trie in memory, and their RLP.

use crate::rlp;
use revm::primitives::B256;
use std::rc::Rc;

/// As a parent holds it: by hash, or the node itself if it is new or under 32 bytes.
#[derive(Clone)]
pub enum Child {
    Stored(B256),
    Here(Rc<Node>),
}

pub type Children = Box<[Option<Child>; CHILDREN]>;

/// Paths are nibbles, one per byte. A branch has no value: no key of these tries is a prefix of another.
#[derive(Clone)]
pub enum Node {
    Leaf { path: Box<[u8]>, value: Box<[u8]> },
    Extension { path: Box<[u8]>, child: Child },
    Branch(Children),
}

pub const CHILDREN: usize = 16;

impl Node {
    /// An extension's only child is in the first slot.
    pub fn child_mut(&mut self, slot: usize) -> Option<&mut Child> {
        match self {
            Node::Leaf { .. } => None,
            Node::Extension { child, .. } => (slot == 0).then_some(child),
            Node::Branch(children) => children.get_mut(slot)?.as_mut(),
        }
    }

    /// Whether it holds children themselves, which aren't stored or are under 32 bytes.
    pub fn has_new(&self) -> bool {
        match self {
            Node::Leaf { .. } => false,
            Node::Extension { child, .. } => matches!(child, Child::Here(_)),
            Node::Branch(children) => children.iter().any(|child| matches!(child, Some(Child::Here(_)))),
        }
    }
}

pub fn empty_children() -> Children {
    Box::new([const { None }; CHILDREN])
}

/// Appends the node's RLP. Its children must be stored, or nodes of under 32 bytes.
pub fn encode(node: &Node, out: &mut Vec<u8>) {
    rlp::put_list_head(out, items_length(node));
    match node {
        Node::Leaf { path, value } => {
            put_path(out, path, true);
            rlp::put_bytes(out, value);
        }
        Node::Extension { path, child } => {
            put_path(out, path, false);
            put_child(out, child);
        }
        Node::Branch(children) => {
            for child in children.iter() {
                match child {
                    None => out.push(0x80),
                    Some(child) => put_child(out, child),
                }
            }
            out.push(0x80);
        }
    }
}

fn items_length(node: &Node) -> usize {
    match node {
        Node::Leaf { path, value } => path_length(path) + rlp::bytes_length(value),
        Node::Extension { path, child } => path_length(path) + child_length(child),
        Node::Branch(children) => {
            1 + children
                .iter()
                .map(|child| child.as_ref().map_or(1, child_length))
                .sum::<usize>()
        }
    }
}

fn put_child(out: &mut Vec<u8>, child: &Child) {
    match child {
        Child::Stored(hash) => rlp::put_bytes(out, hash.as_slice()),
        Child::Here(node) => encode(node, out),
    }
}

fn child_length(child: &Child) -> usize {
    match child {
        Child::Stored(_) => 33,
        Child::Here(node) => rlp::list_length(items_length(node)),
    }
}

/// Packed, two nibbles per byte, behind the flags for an odd number and a leaf.
fn put_path(out: &mut Vec<u8>, path: &[u8], is_leaf: bool) {
    let flag = if is_leaf { 0x20 } else { 0 };
    let is_odd = path.len() % 2 == 1;
    if path.len() > 1 {
        rlp::put_bytes_head(out, path.len() / 2 + 1);
    }
    out.push(if is_odd { flag | 0x10 | path[0] } else { flag });
    out.extend(path[is_odd as usize..].chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
}

fn path_length(path: &[u8]) -> usize {
    // The flags of up to one nibble are a byte below 0x80, which is its own RLP.
    if path.len() > 1 { path.len() / 2 + 2 } else { 1 }
}

/// None if the bytes aren't a node.
pub fn decode(bytes: &[u8]) -> Option<Node> {
    let (item, rest) = rlp::split(bytes)?;
    (item.is_list && rest.is_empty()).then_some(())?;
    from_list(item.payload)
}

fn from_list(payload: &[u8]) -> Option<Node> {
    let (first, rest) = rlp::split(payload)?;
    let (second, after) = rlp::split(rest)?;
    if !after.is_empty() {
        return from_children(payload);
    }
    if first.is_list {
        return None;
    }
    let (path, is_leaf) = unpacked(first.payload)?;
    if is_leaf {
        return (!second.is_list).then(|| Node::Leaf {
            path,
            value: second.payload.into(),
        });
    }
    Some(Node::Extension {
        path,
        child: child_from(second)??,
    })
}

fn from_children(mut rest: &[u8]) -> Option<Node> {
    let mut children = empty_children();
    for child in children.iter_mut() {
        let (item, after) = rlp::split(rest)?;
        *child = child_from(item)?;
        rest = after;
    }
    let (value, after) = rlp::split(rest)?;
    (value.payload.is_empty() && after.is_empty()).then_some(Node::Branch(children))
}

/// The inner option is the empty child.
fn child_from(item: rlp::Item<'_>) -> Option<Option<Child>> {
    if item.is_list {
        return Some(Some(Child::Here(Rc::new(from_list(item.payload)?))));
    }
    match item.payload.len() {
        0 => Some(None),
        32 => Some(Some(Child::Stored(B256::from_slice(item.payload)))),
        _ => None,
    }
}

fn unpacked(bytes: &[u8]) -> Option<(Box<[u8]>, bool)> {
    let first = *bytes.first()?;
    let mut path = Vec::with_capacity(bytes.len() * 2);
    if first & 0x10 != 0 {
        path.push(first & 15);
    }
    path.extend(bytes[1..].iter().flat_map(|byte| [byte >> 4, byte & 15]));
    Some((path.into_boxed_slice(), first & 0x20 != 0))
}
