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

pub type Children = Box<[Option<Child>; 16]>;

/// Paths are nibbles, one per byte. A branch has no value: no key of these tries is a prefix of another.
#[derive(Clone)]
pub enum Node {
    Leaf { path: Box<[u8]>, value: Box<[u8]> },
    Extension { path: Box<[u8]>, child: Child },
    Branch(Children),
}

pub fn empty_children() -> Children {
    Box::new([const { None }; 16])
}

/// Children must be stored, or nodes of under 32 bytes.
pub fn encode(node: &Node) -> Vec<u8> {
    let mut items = Vec::with_capacity(128);
    match node {
        Node::Leaf { path, value } => {
            rlp::put_bytes(&mut items, &packed(path, true));
            rlp::put_bytes(&mut items, value);
        }
        Node::Extension { path, child } => {
            rlp::put_bytes(&mut items, &packed(path, false));
            put_child(&mut items, child);
        }
        Node::Branch(children) => {
            items.reserve(532);
            for child in children.iter() {
                match child {
                    None => items.push(0x80),
                    Some(child) => put_child(&mut items, child),
                }
            }
            items.push(0x80);
        }
    }
    rlp::list(&items)
}

fn put_child(items: &mut Vec<u8>, child: &Child) {
    match child {
        Child::Stored(hash) => rlp::put_bytes(items, hash.as_slice()),
        Child::Here(node) => items.extend_from_slice(&encode(node)),
    }
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

fn packed(path: &[u8], is_leaf: bool) -> Vec<u8> {
    let flag = if is_leaf { 0x20 } else { 0 };
    let is_odd = path.len() % 2 == 1;
    let mut out = Vec::with_capacity(path.len() / 2 + 1);
    out.push(if is_odd { flag | 0x10 | path[0] } else { flag });
    out.extend(path[is_odd as usize..].chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]));
    out
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
