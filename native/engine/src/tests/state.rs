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

/// Reads of nodes and slots, length of the result and root of a block that destroys it; a template's block isn't to become
/// the head.
fn destroying(slots: u64, is_template: bool) -> ([usize; 3], Vec<u8>) {
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
    let _ = [b'n', b's'].map(host::take_reads);
    assert_eq!(finish_block(), DONE);
    let result = super::run::result();
    let root = result[8 + 256 + 32..][..32].to_vec();
    ([host::take_reads(b'n'), host::take_reads(b's'), result.len()], root)
}

#[test]
fn destroying_storage_costs_the_same_whatever_its_size() {
    for is_template in [false, true] {
        let ([few_nodes, few_slots, few_bytes], few_root) = destroying(1, is_template);
        let ([nodes, slots, bytes], root) = destroying(2000, is_template);
        assert!(nodes <= few_nodes + 1, "{nodes} nodes for 2000 slots, {few_nodes} for one");
        assert_eq!([slots, bytes], [few_slots, few_bytes]);
        assert_eq!(root, few_root);
    }
}
