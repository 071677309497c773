//! Decoded nodes that stay in memory between blocks. A node's hash names its content, so an entry never becomes wrong.

use super::node::Node;
use crate::generations::Generations;
use revm::primitives::B256;
use std::rc::Rc;

/// What a decoded node takes in memory besides its values: a branch has 16 children of 40 bytes.
const NODE_BYTES: usize = 200;
const BRANCH_BYTES: usize = 800;

pub struct NodeCache(Generations<B256, Rc<Node>>);

impl NodeCache {
    pub fn new(max_bytes: usize) -> Self {
        Self(Generations::new(max_bytes))
    }

    pub fn get(&mut self, hash: &B256) -> Option<Rc<Node>> {
        self.0.get(hash, |node| weight(node, NODE_BYTES))
    }

    pub fn set(&mut self, hash: B256, node: Rc<Node>, encoded_bytes: usize) {
        let weight = weight(&node, encoded_bytes);
        self.0.set(hash, node, weight);
    }
}

fn weight(node: &Node, encoded_bytes: usize) -> usize {
    match node {
        Node::Branch(_) => BRANCH_BYTES,
        _ => NODE_BYTES + encoded_bytes,
    }
}
