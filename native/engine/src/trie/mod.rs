//! A Merkle-Patricia trie over nodes that the host keeps by hash. It makes the same nodes in the same order as the trie in
//! TypeScript (`src/node/trie/trie.ts`): what both engines write is compared byte by byte.

mod commit;
mod node;
mod nodes;

pub use commit::{Changed, commit};
pub use nodes::NodeCache;

use crate::boundary::host;
use crate::error::EngineError;
use core::ops::Range;
use node::{Child, Node, decode, empty_children};
use revm::primitives::B256;
use std::rc::Rc;

pub const EMPTY_ROOT: B256 = revm::primitives::b256!("56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421");

/// What commits created and replaced, one entry per place in a trie.
#[derive(Default)]
pub struct Changes {
    pub nodes: Vec<NewNode>,
    /// The RLP of all new nodes.
    pub bytes: Vec<u8>,
    pub dead: Vec<B256>,
}

pub struct NewNode {
    pub hash: B256,
    /// in the bytes of its `Changes`
    pub encoded: Range<usize>,
}

pub struct Trie<'a> {
    root: Option<Child>,
    cache: &'a mut NodeCache,
    dead: Vec<B256>,
    /// Nodes that it replaces leave the cache.
    succeeds: bool,
}

enum Removal {
    Nothing(Child),
    Changed(Option<Child>),
}

impl<'a> Trie<'a> {
    pub fn new(root: B256, cache: &'a mut NodeCache) -> Self {
        let root = (root != EMPTY_ROOT).then_some(Child::Stored(root));
        Self {
            root,
            cache,
            dead: Vec::new(),
            succeeds: false,
        }
    }

    /// For changes after which nobody reads the trie as it was: they need no copies, and the cache has room for what
    /// lives. Whoever does read it finds what is missing in the store.
    pub fn succeeding(root: B256, cache: &'a mut NodeCache) -> Self {
        Self {
            succeeds: true,
            ..Self::new(root, cache)
        }
    }

    /// `value` must not be empty.
    pub fn put(&mut self, key: &[u8], value: &[u8]) -> Result<(), EngineError> {
        let path = nibbles(key);
        self.root = match self.root.take() {
            None => Some(leaf(&path, value)),
            Some(root) => Some(self.insert(root, &path, value)?.0),
        };
        Ok(())
    }

    pub fn delete(&mut self, key: &[u8]) -> Result<(), EngineError> {
        let path = nibbles(key);
        if let Some(root) = self.root.take() {
            self.root = match self.remove(root, &path)? {
                Removal::Nothing(same) => Some(same),
                Removal::Changed(after) => after,
            };
        }
        Ok(())
    }

    /// For `commit`.
    pub fn changed(self) -> Changed {
        Changed {
            root: self.root,
            dead: self.dead,
        }
    }

    /// Hashes of all stored nodes, one entry per place; reads every one of them.
    #[cfg(test)]
    pub fn stored_nodes(mut self, out: &mut Vec<B256>) -> Result<(), EngineError> {
        let mut open: Vec<Child> = self.root.take().into_iter().collect();
        while let Some(child) = open.pop() {
            if let Child::Stored(hash) = child {
                out.push(hash);
            }
            match &*self.resolved(&child)? {
                Node::Leaf { .. } => {}
                Node::Extension { child, .. } => open.push(child.clone()),
                Node::Branch(children) => open.extend(children.iter().flatten().cloned()),
            }
        }
        Ok(())
    }

    fn resolved(&mut self, child: &Child) -> Result<Rc<Node>, EngineError> {
        let hash = match child {
            Child::Here(node) => return Ok(node.clone()),
            Child::Stored(hash) => *hash,
        };
        if let Some(node) = self.cache.get(&hash) {
            return Ok(node);
        }
        let node = read(hash)?;
        self.cache.set(hash, node.clone());
        Ok(node)
    }

    /// `at`, as its parent held it, isn't part of the trie anymore.
    fn replaced(&mut self, at: Option<B256>) {
        if let Some(hash) = at {
            self.dead.push(hash);
        }
    }

    /// The node at `at`, for changes: itself if nobody else holds it, a copy if it is stored.
    fn opened(&mut self, at: Child) -> Result<(Rc<Node>, Option<B256>), EngineError> {
        match at {
            Child::Here(node) => Ok((node, None)),
            Child::Stored(hash) if self.succeeds => match self.cache.take(&hash) {
                Some(node) => Ok((node, Some(hash))),
                None => Ok((read(hash)?, Some(hash))),
            },
            Child::Stored(hash) => Ok((self.resolved(&Child::Stored(hash))?, Some(hash))),
        }
    }

    /// A node that was opened and didn't change.
    fn closed(&mut self, node: Rc<Node>, stored: Option<B256>) -> Child {
        match stored {
            None => Child::Here(node),
            Some(hash) => {
                if self.succeeds {
                    self.cache.set(hash, node);
                }
                Child::Stored(hash)
            }
        }
    }

    fn insert(&mut self, at: Child, path: &[u8], value: &[u8]) -> Result<(Child, bool), EngineError> {
        let (mut node, stored) = self.opened(at)?;
        match &*node {
            Node::Branch(_) => {
                let slot = path[0] as usize;
                let Node::Branch(children) = Rc::make_mut(&mut node) else {
                    unreachable!()
                };
                let (after, is_changed) = match children[slot].take() {
                    None => (leaf(&path[1..], value), true),
                    Some(before) => self.insert(before, &path[1..], value)?,
                };
                children[slot] = Some(after);
                Ok(self.after(node, stored, is_changed))
            }
            Node::Leaf { path: own, value: held } => {
                let shared = common(own, path);
                if shared != own.len() {
                    self.replaced(stored);
                    return Ok((split_at(&node, shared, path, value), true));
                }
                if **held == *value {
                    return Ok(self.after(node, stored, false));
                }
                self.replaced(stored);
                Ok((leaf(path, value), true))
            }
            Node::Extension { path: own, .. } => {
                let shared = common(own, path);
                if shared != own.len() {
                    self.replaced(stored);
                    return Ok((split_at(&node, shared, path, value), true));
                }
                let Node::Extension { child, .. } = Rc::make_mut(&mut node) else {
                    unreachable!()
                };
                let before = core::mem::replace(child, Child::Stored(B256::ZERO));
                let (after, is_changed) = self.insert(before, &path[shared..], value)?;
                *child = after;
                Ok(self.after(node, stored, is_changed))
            }
        }
    }

    /// A node whose child was put back, changed or not.
    fn after(&mut self, node: Rc<Node>, stored: Option<B256>, is_changed: bool) -> (Child, bool) {
        if !is_changed {
            return (self.closed(node, stored), false);
        }
        self.replaced(stored);
        (Child::Here(node), true)
    }

    fn remove(&mut self, at: Child, path: &[u8]) -> Result<Removal, EngineError> {
        let (mut node, stored) = self.opened(at)?;
        match &*node {
            Node::Branch(_) => self.remove_from_branch(node, stored, path),
            Node::Leaf { path: own, .. } => {
                if **own != *path {
                    return Ok(Removal::Nothing(self.closed(node, stored)));
                }
                self.replaced(stored);
                Ok(Removal::Changed(None))
            }
            Node::Extension { path: own, .. } => {
                let shared = common(own, path);
                if shared != own.len() {
                    return Ok(Removal::Nothing(self.closed(node, stored)));
                }
                let own = own.clone();
                let Node::Extension { child, .. } = Rc::make_mut(&mut node) else {
                    unreachable!()
                };
                let before = core::mem::replace(child, Child::Stored(B256::ZERO));
                match self.remove(before, &path[shared..])? {
                    Removal::Nothing(same) => {
                        *child = same;
                        Ok(Removal::Nothing(self.closed(node, stored)))
                    }
                    Removal::Changed(after) => {
                        self.replaced(stored);
                        Ok(Removal::Changed(match after {
                            None => None,
                            Some(child) => Some(self.prepend(&own, child)?),
                        }))
                    }
                }
            }
        }
    }

    fn remove_from_branch(&mut self, mut node: Rc<Node>, stored: Option<B256>, path: &[u8]) -> Result<Removal, EngineError> {
        let slot = path[0] as usize;
        let Node::Branch(children) = Rc::make_mut(&mut node) else {
            unreachable!()
        };
        let Some(before) = children[slot].take() else {
            return Ok(Removal::Nothing(self.closed(node, stored)));
        };
        match self.remove(before, &path[1..])? {
            Removal::Nothing(same) => {
                children[slot] = Some(same);
                Ok(Removal::Nothing(self.closed(node, stored)))
            }
            Removal::Changed(after) => {
                self.replaced(stored);
                let is_gone = after.is_none();
                children[slot] = after;
                let mut left = children
                    .iter()
                    .enumerate()
                    .filter_map(|(index, child)| Some((index, child.as_ref()?)));
                let only = match (left.next(), left.next()) {
                    (Some((index, child)), None) if is_gone => Some((index as u8, child.clone())),
                    _ => None,
                };
                Ok(Removal::Changed(Some(match only {
                    None => Child::Here(node),
                    Some((index, child)) => self.prepend(&[index], child)?,
                })))
            }
        }
    }

    /// `child` under a longer path; leaves and extensions swallow it, a branch gets an extension above it.
    fn prepend(&mut self, path: &[u8], child: Child) -> Result<Child, EngineError> {
        let node = self.resolved(&child)?;
        let joined = |own: &[u8]| [path, own].concat().into_boxed_slice();
        let longer = match &*node {
            Node::Branch(_) => Node::Extension {
                path: path.into(),
                child,
            },
            Node::Leaf { path: own, value } => {
                self.replaced(hash_of(&child));
                Node::Leaf {
                    path: joined(own),
                    value: value.clone(),
                }
            }
            Node::Extension { path: own, child: below } => {
                self.replaced(hash_of(&child));
                Node::Extension {
                    path: joined(own),
                    child: below.clone(),
                }
            }
        };
        Ok(Child::Here(Rc::new(longer)))
    }
}

fn read(hash: B256) -> Result<Rc<Node>, EngineError> {
    let bytes = host::read_value(b'n', hash.as_slice(), &[])?.ok_or(EngineError::MissingNode(hash.0))?;
    Ok(Rc::new(decode(&bytes).ok_or(EngineError::Damaged("trie node"))?))
}

fn hash_of(child: &Child) -> Option<B256> {
    match child {
        Child::Stored(hash) => Some(*hash),
        Child::Here(_) => None,
    }
}

fn leaf(path: &[u8], value: &[u8]) -> Child {
    Child::Here(Rc::new(Node::Leaf {
        path: path.into(),
        value: value.into(),
    }))
}

/// A branch where `node` and a new leaf diverge, after `shared` nibbles.
fn split_at(node: &Node, shared: usize, path: &[u8], value: &[u8]) -> Child {
    let mut children = empty_children();
    let (own, rest) = match node {
        Node::Leaf { path: own, value } => (own, leaf(&own[shared + 1..], value)),
        Node::Extension { path: own, child } if own.len() == shared + 1 => (own, child.clone()),
        Node::Extension { path: own, child } => {
            let shorter = Node::Extension {
                path: own[shared + 1..].into(),
                child: child.clone(),
            };
            (own, Child::Here(Rc::new(shorter)))
        }
        Node::Branch(_) => unreachable!("a branch has no path"),
    };
    children[own[shared] as usize] = Some(rest);
    children[path[shared] as usize] = Some(leaf(&path[shared + 1..], value));
    let branch = Child::Here(Rc::new(Node::Branch(children)));
    if shared == 0 {
        return branch;
    }
    Child::Here(Rc::new(Node::Extension {
        path: own[..shared].into(),
        child: branch,
    }))
}

fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b).count()
}

fn nibbles(key: &[u8]) -> Vec<u8> {
    key.iter().flat_map(|byte| [byte >> 4, byte & 15]).collect()
}
