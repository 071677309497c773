//! Decoded nodes that stay in memory between blocks. A node's hash names its content, so an entry never becomes wrong.

use super::node::Node;
use crate::generations::Generations;
use revm::primitives::B256;
use std::rc::Rc;

/// What a decoded node takes in memory besides its path and value: a branch has 16 children of 40 bytes.
const NODE_BYTES: usize = 200;
const BRANCH_BYTES: usize = 800;

pub struct NodeCache(Generations<B256, Rc<Node>>);

impl NodeCache {
    pub fn new(max_bytes: usize) -> Self {
        Self(Generations::new(max_bytes))
    }

    pub fn get(&mut self, hash: &B256) -> Option<Rc<Node>> {
        self.0.get(hash, |node| weight(node))
    }

    /// Removes the node, so that its only owner can change it.
    pub fn take(&mut self, hash: &B256) -> Option<Rc<Node>> {
        self.0.take(hash, |node| weight(node))
    }

    pub fn set(&mut self, hash: B256, node: Rc<Node>) {
        let weight = weight(&node);
        self.0.set(hash, node, weight);
    }
}

fn weight(node: &Node) -> usize {
    match node {
        Node::Branch(_) => BRANCH_BYTES,
        Node::Extension { path, .. } => NODE_BYTES + path.len(),
        Node::Leaf { path, value } => NODE_BYTES + path.len() + value.len(),
    }
}
