//! What the engine reads of the host: what was read once isn't read again, and what isn't needed isn't read at all.

use super::host;
use super::run::{Before, CODE, Header, SENDER, Tx, block, contract, open, rich, store};
use crate::block::{DONE, apply_transactions, finish_block, open_block};
use revm::primitives::{Address, B256, U256};

/// `times` times: asks for the hash of block `number`.
fn asking(number: u16, times: usize) -> Vec<u8> {
    let [high, low] = number.to_be_bytes();
    [0x61, high, low, 0x40, 0x50].repeat(times)
}

#[test]
fn an_ancestor_is_asked_for_once_in_a_block() {
    let code = [asking(299, 500), asking(44, 500), asking(43, 500)].concat();
    let root = store(&[(SENDER, rich()), (CODE, contract(&code))]);
    let transactions = [0, 1].map(|nonce| Tx {
        nonce,
        ..Tx::call(SENDER, CODE, 1_000_000)
    });
    host::take_ancestors();
    block(root, &Header::at(300), &transactions).expect("a block");
    assert_eq!(host::take_ancestors(), 2);
    // The next block may be on another branch.
    block(root, &Header::at(300), &transactions).expect("a block");
    assert_eq!(host::take_ancestors(), 2);
}

/// EXTCODESIZE of `count` contracts of `bytes` bytes, each with its own code.
fn sizes_of(count: u8, bytes: usize) -> (B256, Vec<u8>) {
    let mut code = Vec::new();
    let mut accounts = vec![(SENDER, rich())];
    for number in 1..=count {
        code.extend([0x61, 0xf0, number, 0x3b, 0x50]);
        let own = [vec![number], vec![0x5b; bytes - 1]].concat();
        accounts.push((
            Address::from_word(B256::from(U256::from(0xf000 + number as u64))),
            contract(&own),
        ));
    }
    // The last size is the result: logged as a word.
    code.truncate(code.len() - 1);
    code.extend([0x60, 0, 0x52, 0x60, 0x20, 0x60, 0, 0xa0]);
    accounts.push((CODE, contract(&code)));
    (store(&accounts), code)
}

#[test]
fn sizes_of_codes_are_read_once_and_never_searched() {
    let (root, _) = sizes_of(200, 24_000);
    let tx = || Tx::call(SENDER, CODE, 2_000_000);
    host::take_reads(b'c');
    let executed = block(root, &Header::at(1), &[tx()]).expect("a block");
    let log = &executed.receipts[0].logs[0];
    assert_eq!(U256::from_be_slice(&log.data), U256::from(24_000));
    // 200 sizes and the running code.
    assert_eq!(host::take_reads(b'c'), 201);
    block(root, &Header::at(1), &[tx()]).expect("a block");
    assert_eq!(host::take_reads(b'c'), 0);
}

#[test]
fn the_size_of_a_code_that_is_missing_ends_the_block() {
    let (root, _) = sizes_of(3, 100);
    let hash = crate::keccak::keccak256([vec![2], vec![0x5b; 99]].concat());
    host::put([b"c", hash.as_slice()].concat(), None);
    assert_eq!(
        block(root, &Header::at(1), &[Tx::call(SENDER, CODE, 2_000_000)]).err(),
        Some(2)
    );
}

/// A contract with `slots` slots that is destroyed.
fn destroyed(slots: u64) -> B256 {
    let before = Before {
        storage: (0..slots).map(|slot| (U256::from(slot), U256::from(slot + 1))).collect(),
        ..contract(&[0x60, 0xee, 0xff])
    };
    store(&[(SENDER, rich()), (CODE, before)])
}

/// Reads of trie nodes for a block that destroys it; a template's block isn't to become the head.
fn nodes_read(slots: u64, is_template: bool) -> (usize, Vec<u8>) {
    let root = destroyed(slots);
    if is_template {
        let mut input = root.to_vec();
        Header::at(1).put(&mut input);
        input.extend_from_slice(&[0; 2 + 20 + 32 + 4 * 32 + 1]);
        super::run::ask(open_block, &input);
    } else {
        open(root, &Header::at(1));
    }
    let mut input = Vec::new();
    Tx::call(SENDER, CODE, 100_000).put(&mut input);
    assert_eq!(super::run::ask(apply_transactions, &input), DONE);
    host::take_reads(b'n');
    assert_eq!(finish_block(), DONE);
    let root = super::run::result()[8 + 256 + 32..][..32].to_vec();
    (host::take_reads(b'n'), root)
}

#[test]
fn a_template_reads_nothing_of_storage_that_it_destroys() {
    let (few, few_root) = nodes_read(1, true);
    let (many, many_root) = nodes_read(2000, true);
    assert!(many <= few + 1, "{many} nodes for 2000 slots, {few} for one");
    assert_eq!(few_root, many_root);
    assert_eq!(nodes_read(2000, false).1, many_root);
}
