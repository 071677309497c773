//! Receipts of a block: the root that covers them, their bloom, and the form in which the host gets them.

use crate::codec::put_blob;
use crate::keccak::keccak256_each;
use crate::rlp;
use crate::trie::{Changes, EMPTY_ROOT, NodeCache, Trie, commit};
use revm::primitives::{Address, B256, Log};

pub struct Receipt<'a> {
    /// 0 or 1
    pub kind: u8,
    pub has_succeeded: bool,
    pub gas_used: u64,
    pub contract: Option<Address>,
    pub logs: &'a [Log],
}

pub struct Receipts {
    encoded: Vec<Vec<u8>>,
    pub bloom: [u8; 256],
    pub gas_used: u64,
    /// For the host, one after another.
    pub out: Vec<u8>,
}

impl Receipts {
    pub fn new() -> Self {
        Self {
            encoded: Vec::new(),
            bloom: [0; 256],
            gas_used: 0,
            out: Vec::new(),
        }
    }

    pub fn count(&self) -> usize {
        self.encoded.len()
    }

    pub fn add(&mut self, receipt: &Receipt<'_>) {
        self.gas_used += receipt.gas_used;
        let bloom = bloom_of(receipt.logs);
        self.bloom.iter_mut().zip(bloom).for_each(|(all, own)| *all |= own);
        let logs = log_list(receipt.logs);
        self.encoded.push(encode(receipt, self.gas_used, &bloom, &logs));
        self.put_out(receipt, &logs);
    }

    /// The root of the trie over the receipts by the RLP of their index.
    pub fn root(&self) -> B256 {
        if self.encoded.is_empty() {
            return EMPTY_ROOT;
        }
        let mut unused = NodeCache::new(0);
        let mut trie = Trie::new(EMPTY_ROOT, &mut unused);
        for (index, receipt) in self.encoded.iter().enumerate() {
            let mut key = Vec::with_capacity(4);
            rlp::put_integer(&mut key, &(index as u32).to_be_bytes());
            if trie.put(&key, receipt).is_err() {
                unreachable!("a trie in memory reads nothing");
            }
        }
        let changed = trie.changed();
        commit(vec![changed], &mut unused, &mut Changes::default())[0]
    }

    fn put_out(&mut self, receipt: &Receipt<'_>, logs: &[u8]) {
        let out = &mut self.out;
        out.push(receipt.has_succeeded as u8);
        out.extend_from_slice(&receipt.gas_used.to_be_bytes());
        out.push(receipt.contract.is_some() as u8);
        if let Some(contract) = receipt.contract {
            out.extend_from_slice(contract.as_slice());
        }
        put_blob(out, logs);
    }
}

fn encode(receipt: &Receipt<'_>, cumulative_gas: u64, bloom: &[u8; 256], logs: &[u8]) -> Vec<u8> {
    let mut items = Vec::with_capacity(logs.len() + 280);
    rlp::put_integer(&mut items, &[receipt.has_succeeded as u8]);
    rlp::put_integer(&mut items, &cumulative_gas.to_be_bytes());
    rlp::put_bytes(&mut items, bloom);
    items.extend_from_slice(logs);
    let mut out = Vec::with_capacity(items.len() + 10);
    if receipt.kind != 0 {
        out.push(receipt.kind);
    }
    rlp::put_list_head(&mut out, items.len());
    out.extend_from_slice(&items);
    out
}

/// An RLP list of lists: address, topics, data. It is the part of a receipt that a block may have a million of, so it is written
/// in one go; the host stores it as it is.
fn log_list(logs: &[Log]) -> Vec<u8> {
    let topics_length = |log: &Log| 33 * log.data.topics().len();
    let log_length = |log: &Log| 21 + rlp::list_length(topics_length(log)) + rlp::bytes_length(&log.data.data);
    let length = logs.iter().map(|log| rlp::list_length(log_length(log))).sum();
    let mut out = Vec::with_capacity(rlp::list_length(length));
    rlp::put_list_head(&mut out, length);
    for log in logs {
        rlp::put_list_head(&mut out, log_length(log));
        rlp::put_bytes(&mut out, log.address.as_slice());
        rlp::put_list_head(&mut out, topics_length(log));
        log.data
            .topics()
            .iter()
            .for_each(|topic| rlp::put_bytes(&mut out, topic.as_slice()));
        rlp::put_bytes(&mut out, &log.data.data);
    }
    out
}

fn bloom_of(logs: &[Log]) -> [u8; 256] {
    let mut named: Vec<&[u8]> = Vec::with_capacity(5 * logs.len());
    for log in logs {
        named.push(log.address.as_slice());
        named.extend(log.data.topics().iter().map(|topic| topic.as_slice()));
    }
    let mut bloom = [0u8; 256];
    for hash in keccak256_each(&named) {
        for pair in hash[..6].chunks_exact(2) {
            let bit = (u16::from_be_bytes([pair[0], pair[1]]) & 0x7ff) as usize;
            bloom[255 - bit / 8] |= 1 << (bit % 8);
        }
    }
    bloom
}
