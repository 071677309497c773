//! The trie against known roots, and against itself made from nothing.

use super::{Random, host};
use crate::keccak::keccak256;
use crate::trie::{Changes, EMPTY_ROOT, NodeCache, Trie, commit};
use revm::primitives::{B256, b256};
use std::collections::{BTreeMap, HashMap};

type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// Commits `trie` and stores its new nodes.
fn settled(trie: Trie<'_>, changes: &mut Changes) -> B256 {
    let changed = trie.changed();
    let root = commit(vec![changed], &mut NodeCache::new(0), changes)[0];
    for node in &changes.nodes {
        let bytes = changes.bytes[node.encoded.clone()].to_vec();
        assert_eq!(keccak256(&bytes), node.hash);
        host::put([b"n", node.hash.as_slice()].concat(), Some(bytes));
    }
    root
}

fn root_of(entries: &Entries) -> B256 {
    let mut cache = NodeCache::new(0);
    let mut trie = Trie::new(EMPTY_ROOT, &mut cache);
    entries.iter().for_each(|(key, value)| trie.put(key, value).unwrap());
    settled(trie, &mut Changes::default())
}

/// How often each node occurs in the trie.
fn places(root: B256) -> HashMap<B256, i64> {
    let mut hashes = Vec::new();
    if root != EMPTY_ROOT {
        Trie::new(root, &mut NodeCache::new(0)).stored_nodes(&mut hashes).unwrap();
    }
    let mut counts = HashMap::new();
    hashes.into_iter().for_each(|hash| *counts.entry(hash).or_default() += 1);
    counts
}

/// Source: github.com/ethereum/tests, TrieTests/trieanyorder.json
#[test]
fn known_tries_have_known_roots() {
    let root = |pairs: &[(&str, &str)]| {
        let bytes = |text: &str| text.as_bytes().to_vec();
        root_of(&pairs.iter().map(|(key, value)| (bytes(key), bytes(value))).collect())
    };
    assert_eq!(
        root(&[("A", &"a".repeat(50))]),
        b256!("d23786fb4a010da3ce639d66d5e904a11dbc02746d1ce25029e53290cabf28ab")
    );
    let hex = [
        (vec![0x00, 0x45], vec![0x01, 0x23, 0x45, 0x67, 0x89]),
        (vec![0x45, 0x00], vec![0x98, 0x76, 0x54, 0x32, 0x10]),
    ];
    assert_eq!(
        root_of(&hex.into_iter().collect()),
        b256!("285505fcabe84badc8aa310e2aae17eddc7d120aabec8a476902c8184b3a3503")
    );
    assert_eq!(root(&[]), EMPTY_ROOT);
}

/// Changes in any order give the trie that its entries give from nothing; what they add and replace are the places in which
/// the two tries differ.
#[test]
fn changes_give_the_trie_of_the_entries() {
    let mut random = Random(6);
    for succeeds in [false, true] {
        host::reset();
        let mut cache = NodeCache::new(if succeeds { 1 << 20 } else { 0 });
        let mut entries = Entries::new();
        let mut root = EMPTY_ROOT;
        let mut before = HashMap::new();
        for round in 0..150 {
            let mut trie = if succeeds {
                Trie::succeeding(root, &mut cache)
            } else {
                Trie::new(root, &mut cache)
            };
            for _ in 0..random.below(12) {
                // Few keys, near to each other, and values of which some are shorter than a hash.
                let key = vec![
                    random.one_of(&[0x11, 0x12, 0x21]),
                    random.one_of(&[0, 1, 16, 17]),
                    random.next() as u8 & 0x33,
                ];
                if random.below(3) == 0 || round > 140 {
                    entries.remove(&key);
                    trie.delete(&key).unwrap();
                } else {
                    let length = random.one_of(&[1, 2, 31, 32, 40]);
                    let value = vec![random.one_of(&[1, 200]); length];
                    trie.put(&key, &value).unwrap();
                    entries.insert(key, value);
                }
            }
            let mut changes = Changes::default();
            root = settled(trie, &mut changes);
            assert_eq!(root, root_of(&entries), "round {round}");
            let now = places(root);
            let mut difference: HashMap<B256, i64> = now.clone();
            before
                .iter()
                .for_each(|(hash, count)| *difference.entry(*hash).or_default() -= count);
            changes
                .nodes
                .iter()
                .for_each(|node| *difference.entry(node.hash).or_default() -= 1);
            changes
                .dead
                .iter()
                .for_each(|hash| *difference.entry(*hash).or_default() += 1);
            difference.retain(|_, count| *count != 0);
            assert!(difference.is_empty(), "round {round}: {difference:?}");
            before = now;
        }
    }
}

#[test]
fn a_missing_node_is_named() {
    host::reset();
    let mut cache = NodeCache::new(0);
    let missing = B256::repeat_byte(7);
    let error = Trie::new(missing, &mut cache).put(&[1], &[1]).unwrap_err();
    assert!(matches!(error, crate::error::EngineError::MissingNode(hash) if hash == missing.0));
}
