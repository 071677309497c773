//! Runs blocks through the functions that the host calls, on a store in memory.

use super::host;
use crate::account::Account;
use crate::arithmetic;
use crate::block::{DONE, apply_transactions, finish_block, open_block};
use crate::boundary::{reserve, result_length, result_pointer};
use crate::codec::{Reader, put_blob, put_count};
use crate::keccak::keccak256;
use crate::rlp;
use crate::trie::{Changed, Changes, EMPTY_ROOT, NodeCache, Trie, commit};
use revm::primitives::{Address, B256, U256};

/// An account of the state before, with its code and storage.
#[derive(Clone, Default)]
pub struct Before {
    pub nonce: u64,
    pub balance: U256,
    pub code: Vec<u8>,
    pub storage: Vec<(U256, U256)>,
}

/// Code with plenty of money.
pub fn contract(code: &[u8]) -> Before {
    Before {
        nonce: 1,
        code: code.to_vec(),
        ..Before::default()
    }
}

pub fn rich() -> Before {
    Before {
        balance: U256::from(10).pow(U256::from(24)),
        ..Before::default()
    }
}

/// Stores the accounts and their tries. Returns the root.
pub fn store(accounts: &[(Address, Before)]) -> B256 {
    host::reset();
    arithmetic::install();
    let mut root = EMPTY_ROOT;
    for (address, before) in accounts {
        let slots = before.storage.iter().filter(|(_, value)| !value.is_zero());
        let storage_root = stored(EMPTY_ROOT, |trie| {
            for (slot, value) in slots.clone() {
                let bytes = value.to_be_bytes::<32>();
                let mut item = Vec::new();
                rlp::put_integer(&mut item, &bytes);
                trie.put(keccak256(slot.to_be_bytes::<32>()).as_slice(), &item).unwrap();
                host::put(slot_key(address, slot), Some(rlp::trimmed(&bytes).to_vec()));
            }
        });
        let account = Account {
            nonce: before.nonce,
            balance: before.balance,
            storage_root,
            code_hash: keccak256(&before.code),
        };
        host::put([b"c", account.code_hash.as_slice()].concat(), Some(before.code.clone()));
        host::put([b"a", address.as_slice()].concat(), Some(account.encode()));
        root = stored(root, |trie| {
            trie.put(keccak256(address).as_slice(), &account.encode()).unwrap()
        });
    }
    root
}

/// The root of a trie after changes, whose nodes are stored.
fn stored(root: B256, change: impl FnOnce(&mut Trie<'_>)) -> B256 {
    let mut cache = NodeCache::new(1 << 20);
    let mut trie = Trie::new(root, &mut cache);
    change(&mut trie);
    let changed: Changed = trie.changed();
    let mut changes = Changes::default();
    let root = commit(vec![changed], &mut cache, &mut changes)[0];
    for node in &changes.nodes {
        let bytes = changes.bytes[node.encoded.clone()].to_vec();
        host::put([b"n", node.hash.as_slice()].concat(), Some(bytes));
    }
    root
}

fn slot_key(address: &Address, slot: &U256) -> Vec<u8> {
    [b"s", address.as_slice(), &slot.to_be_bytes::<32>()].concat()
}

/// The header fields that instructions can read.
#[derive(Clone)]
pub struct Header {
    pub number: u64,
    pub timestamp: u64,
    pub coinbase: Address,
    pub difficulty: U256,
    pub gas_limit: u64,
}

impl Header {
    pub fn at(number: u64) -> Self {
        Self {
            number,
            timestamp: 1_700_000_000,
            coinbase: Address::with_last_byte(0xc0),
            difficulty: U256::from(131_072),
            gas_limit: 600_000_000,
        }
    }

    pub fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.number.to_be_bytes());
        out.extend_from_slice(&self.timestamp.to_be_bytes());
        out.extend_from_slice(self.coinbase.as_slice());
        out.extend_from_slice(&self.difficulty.to_be_bytes::<32>());
        out.extend_from_slice(&self.gas_limit.to_be_bytes());
        out.extend_from_slice(&1u64.to_be_bytes());
    }
}

pub struct Tx {
    pub kind: u8,
    pub sender: Address,
    pub nonce: u64,
    pub gas_price: U256,
    pub gas: u64,
    pub to: Option<Address>,
    pub value: U256,
    pub data: Vec<u8>,
    pub access_list: Vec<(Address, Vec<B256>)>,
}

impl Tx {
    pub fn call(sender: Address, to: Address, gas: u64) -> Self {
        Self {
            kind: 0,
            sender,
            nonce: 0,
            gas_price: U256::ZERO,
            gas,
            to: Some(to),
            value: U256::ZERO,
            data: Vec::new(),
            access_list: Vec::new(),
        }
    }

    /// EIP-2, 2028, 2930
    fn intrinsic_gas(&self) -> u64 {
        let zeros = self.data.iter().filter(|byte| **byte == 0).count() as u64;
        let base = if self.to.is_none() { 53_000 } else { 21_000 };
        let listed: u64 = self.access_list.iter().map(|(_, keys)| 2400 + 1900 * keys.len() as u64).sum();
        base + 4 * zeros + 16 * (self.data.len() as u64 - zeros) + listed
    }

    pub fn put(&self, out: &mut Vec<u8>) {
        out.push(self.kind);
        out.extend_from_slice(self.sender.as_slice());
        out.extend_from_slice(&self.nonce.to_be_bytes());
        out.extend_from_slice(&self.gas_price.to_be_bytes::<32>());
        out.extend_from_slice(&self.gas.to_be_bytes());
        out.push(self.to.is_some() as u8);
        out.extend_from_slice(self.to.as_ref().map_or(&[][..], |to| to.as_slice()));
        out.extend_from_slice(&self.value.to_be_bytes::<32>());
        put_blob(out, &self.data);
        out.extend_from_slice(&self.intrinsic_gas().to_be_bytes());
        put_count(out, self.access_list.len());
        for (address, keys) in &self.access_list {
            out.extend_from_slice(address.as_slice());
            put_count(out, keys.len());
            keys.iter().for_each(|key| out.extend_from_slice(key.as_slice()));
        }
    }
}

/// Calls a function of the module that takes bytes.
pub fn ask<T>(function: unsafe extern "C" fn(*mut u8, usize) -> T, input: &[u8]) -> T {
    let pointer = reserve(input.len());
    // SAFETY: `pointer` has room for `input`, and the function takes it.
    unsafe {
        core::ptr::copy_nonoverlapping(input.as_ptr(), pointer, input.len());
        function(pointer, input.len())
    }
}

pub fn result() -> Vec<u8> {
    // SAFETY: the last result stays until the next call.
    unsafe { core::slice::from_raw_parts(result_pointer(), result_length()) }.to_vec()
}

pub struct Log {
    pub address: Address,
    pub topics: Vec<B256>,
    pub data: Vec<u8>,
}

impl Log {
    fn read(item: &[u8]) -> Self {
        let fields = items(item);
        Self {
            address: Address::from_slice(payload(fields[0])),
            topics: items(fields[1])
                .into_iter()
                .map(|topic| B256::from_slice(payload(topic)))
                .collect(),
            data: payload(fields[2]).to_vec(),
        }
    }
}

pub struct Receipt {
    pub has_succeeded: bool,
    pub gas_used: u64,
    pub logs: Vec<Log>,
}

/// An executed block, as the host gets it.
pub struct Executed {
    pub root: B256,
    pub receipts: Vec<Receipt>,
}

impl Executed {
    fn read(bytes: &[u8]) -> Self {
        let mut from = Reader(bytes);
        from.bytes(8 + 256 + 32);
        let root = from.hash();
        let receipts = list(&mut from, |from| {
            let (has_succeeded, gas_used) = (from.byte() == 1, from.long());
            if from.byte() == 1 {
                from.address();
            }
            let logs = items(from.blob()).into_iter().map(Log::read).collect();
            Receipt {
                has_succeeded,
                gas_used,
                logs,
            }
        });
        Self { root, receipts }
    }
}

/// The items of an RLP list.
fn items(list: &[u8]) -> Vec<&[u8]> {
    let (list, rest) = rlp::split(list).expect("a list");
    assert!(list.is_list && rest.is_empty());
    let mut items = Vec::new();
    let mut left = list.payload;
    while !left.is_empty() {
        let (_, rest) = rlp::split(left).expect("an item");
        items.push(&left[..left.len() - rest.len()]);
        left = rest;
    }
    items
}

fn payload(item: &[u8]) -> &[u8] {
    rlp::split(item).expect("an item").0.payload
}

fn list<T>(from: &mut Reader<'_>, item: impl Fn(&mut Reader<'_>) -> T) -> Vec<T> {
    (0..from.count()).map(|_| item(from)).collect()
}

/// Begins a block without payouts, which becomes the head.
pub fn open(root: B256, header: &Header) {
    let mut input = root.to_vec();
    header.put(&mut input);
    input.extend_from_slice(&[1, 0]);
    input.extend_from_slice(&[0; 20 + 32 + 4 * 32 + 1]);
    ask(open_block, &input);
}

/// The block; Err: the number with which a function ended that isn't DONE.
pub fn block(root: B256, header: &Header, transactions: &[Tx]) -> Result<Executed, u32> {
    open(root, header);
    let mut input = Vec::new();
    transactions.iter().for_each(|tx| tx.put(&mut input));
    let answers = [ask(apply_transactions, &input), finish_block()];
    match answers.iter().find(|answer| **answer != DONE) {
        Some(answer) => Err(*answer),
        None => Ok(Executed::read(&result())),
    }
}

pub const SENDER: Address = Address::with_last_byte(0xaa);
pub const CODE: Address = Address::with_last_byte(0xbb);

/// One call of `code`, with its storage, in a block of its own.
pub fn call(code: &[u8], storage: &[(u64, u64)], gas: u64) -> Receipt {
    let before = Before {
        storage: storage
            .iter()
            .map(|(slot, value)| (U256::from(*slot), U256::from(*value)))
            .collect(),
        ..contract(code)
    };
    let root = store(&[(SENDER, rich()), (CODE, before)]);
    let mut executed = block(root, &Header::at(300), &[Tx::call(SENDER, CODE, gas)]).expect("a block");
    executed.receipts.remove(0)
}
