//! Receipts of a block: the root that covers them, their bloom, and the form in which the host gets them.

use crate::codec::{put_blob, put_count};
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
        self.encoded.push(encode(receipt, self.gas_used, &bloom));
        self.put_out(receipt);
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

    fn put_out(&mut self, receipt: &Receipt<'_>) {
        let out = &mut self.out;
        out.push(receipt.has_succeeded as u8);
        out.extend_from_slice(&receipt.gas_used.to_be_bytes());
        out.push(receipt.contract.is_some() as u8);
        if let Some(contract) = receipt.contract {
            out.extend_from_slice(contract.as_slice());
        }
        put_count(out, receipt.logs.len());
        for log in receipt.logs {
            out.extend_from_slice(log.address.as_slice());
            out.push(log.data.topics().len() as u8);
            log.data
                .topics()
                .iter()
                .for_each(|topic| out.extend_from_slice(topic.as_slice()));
            put_blob(out, &log.data.data);
        }
    }
}

fn encode(receipt: &Receipt<'_>, cumulative_gas: u64, bloom: &[u8; 256]) -> Vec<u8> {
    let mut logs = Vec::new();
    for log in receipt.logs {
        logs.extend_from_slice(&encode_log(log));
    }
    let mut items = Vec::with_capacity(logs.len() + 280);
    rlp::put_integer(&mut items, &[receipt.has_succeeded as u8]);
    rlp::put_integer(&mut items, &cumulative_gas.to_be_bytes());
    rlp::put_bytes(&mut items, bloom);
    rlp::put_list_head(&mut items, logs.len());
    items.extend_from_slice(&logs);
    let list = rlp::list(&items);
    if receipt.kind == 0 {
        return list;
    }
    [&[receipt.kind], &list[..]].concat()
}

fn encode_log(log: &Log) -> Vec<u8> {
    let mut topics = Vec::with_capacity(33 * log.data.topics().len());
    log.data
        .topics()
        .iter()
        .for_each(|topic| rlp::put_bytes(&mut topics, topic.as_slice()));
    let mut items = Vec::with_capacity(topics.len() + log.data.data.len() + 40);
    rlp::put_bytes(&mut items, log.address.as_slice());
    rlp::put_list_head(&mut items, topics.len());
    items.extend_from_slice(&topics);
    rlp::put_bytes(&mut items, &log.data.data);
    rlp::list(&items)
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
