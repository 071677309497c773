//! What instructions cost, literally from the rules (Yellow Paper, appendix G; EIP-160, 1884, 2028, 2200, 2929), and the common
//! instructions against revm's.

use super::run::{CODE, Header, SENDER, Tx, block, call, contract, rich, store};
use super::{Random, host};
use crate::codec::Reader;
use crate::machine::{BlockContext, Machine, Rules};
use crate::state::State;
use revm::context::{Context, TxEnv};
use revm::handler::{ExecuteEvm, MainBuilder, MainContext};
use revm::primitives::{TxKind, U256, hardfork::SpecId};

const BASE: u64 = 21_000;

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| *byte != b' ').collect();
    let pair = |pair: &[u8]| u8::from_str_radix(core::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(pair).collect()
}

#[test]
fn programs_cost_what_the_rules_say() {
    let cases: &[(&str, &str, u64)] = &[
        ("ADD", "6001 6002 01", 9),
        ("MUL", "6001 6002 02", 11),
        ("SDIV", "6001 6002 05", 11),
        ("ADDMOD", "6001 6002 6003 08", 17),
        ("EXP by 0", "6000 6002 0a", 16),
        ("EXP by one byte", "60ff 6002 0a", 66),
        ("EXP by two bytes", "610100 6002 0a", 116),
        ("SIGNEXTEND", "6001 6002 0b", 11),
        ("BYTE", "6001 6002 1a", 9),
        ("SAR", "6001 6002 1d", 9),
        ("SHA3 of nothing", "6000 6000 20", 36),
        ("SHA3 of 33 bytes", "6021 6000 20", 6 + 30 + 12 + 6),
        ("BALANCE, cold and warm", "60ee 31 60ee 31", 2 * 3 + 2600 + 100),
        ("BALANCE of itself", "30 31", 2 + 100),
        ("CALLDATACOPY", "6021 6000 6000 37", 9 + 3 + 6 + 6),
        ("EXTCODESIZE, cold and warm", "60ee 3b 60ee 3b", 2 * 3 + 2600 + 100),
        ("EXTCODECOPY of a word", "6020 6000 6000 60ee 3c", 12 + 2600 + 3 + 3),
        ("EXTCODEHASH", "60ee 3f", 3 + 2600),
        ("BLOCKHASH", "6001 40", 23),
        ("CHAINID and SELFBALANCE", "46 47", 2 + 5),
        ("POP", "6000 50", 5),
        ("MSTORE8 at 31", "6001 601f 53", 9 + 3),
        ("MLOAD at 1", "6001 51", 6 + 6),
        ("MSTORE far away", "6001 620186a0 52", 9 + 3 * 3126 + 3126 * 3126 / 512),
        ("SLOAD, cold and warm", "6000 54 6000 54", 6 + 2100 + 100),
        ("SSTORE, new", "6001 6000 55", 6 + 2100 + 20_000),
        ("SSTORE, no change", "6000 6000 55", 6 + 2100 + 100),
        ("SSTORE, changed", "6005 6007 55", 6 + 2100 + 2900),
        ("SSTORE, twice", "6005 6007 55 6006 6007 55", 12 + 2100 + 2900 + 100),
        ("JUMP", "6003 56 5b", 3 + 8 + 1),
        ("JUMPI", "6001 6005 57 5b", 6 + 10 + 1),
        ("LOG0", "6000 6000 a0", 6 + 375),
        ("LOG4 of 32 bytes", "6000 6000 6000 6000 6020 6000 a4", 18 + 375 * 5 + 256 + 3),
        (
            "CALL, cold and without value",
            "6000 6000 6000 6000 6000 60ee 6000 f1",
            21 + 2600,
        ),
        (
            "STATICCALL of a built-in contract",
            "6000 6000 6000 6000 6004 6103e8 fa",
            18 + 100 + 15,
        ),
        ("CREATE of nothing", "6000 6000 6000 f0", 9 + 32_000),
        ("CREATE2 of a word", "6000 6020 6000 6000 f5", 12 + 32_000 + 3 + 6),
        ("SELFDESTRUCT to nobody, without money", "60ee ff", 3 + 5000 + 2600),
    ];
    for (name, code, gas) in cases {
        let receipt = call(&bytes(code), &[(7, 1)], 1_000_000);
        assert!(receipt.has_succeeded, "{name}");
        // Half of what was used is the most that SELFDESTRUCT and cleared slots give back.
        let refund = if name.starts_with("SELFDESTRUCT") {
            (BASE + gas) / 2
        } else {
            0
        };
        assert_eq!(receipt.gas_used, BASE + gas - refund, "{name}");
    }
}

#[test]
fn a_cleared_slot_gives_back_15000() {
    let spent = BASE + 6 + 2100 + 2900;
    assert_eq!(
        call(&bytes("6000 6007 55"), &[(7, 1)], 100_000).gas_used,
        spent - spent.min(30_000) / 2
    );
    let padded = [bytes("6000 6007 55"), bytes(&"6000 54 50".repeat(300))].concat();
    let spent = spent + 300 * 5 + 2100 + 299 * 100;
    assert_eq!(call(&padded, &[(7, 1)], 1_000_000).gas_used, spent - 15_000);
}

#[test]
fn a_program_without_enough_gas_uses_all_of_it() {
    for gas in [BASE, BASE + 8] {
        let receipt = call(&bytes("6001 6002 01"), &[], gas);
        assert!(!receipt.has_succeeded);
        assert_eq!(receipt.gas_used, gas);
    }
    assert!(call(&bytes("6001 6002 01"), &[], BASE + 9).has_succeeded);
}

#[test]
fn data_and_access_lists_are_paid_for() {
    let root = store(&[(SENDER, rich()), (CODE, contract(&bytes("6000 54")))]);
    let tx = Tx {
        kind: 1,
        data: vec![0, 1, 0],
        access_list: vec![(CODE, vec![Default::default()])],
        ..Tx::call(SENDER, CODE, 100_000)
    };
    let executed = block(root, &Header::at(1), &[tx]).expect("a block");
    assert_eq!(executed.receipts[0].gas_used, BASE + 4 + 16 + 4 + 2400 + 1900 + 3 + 100);
}

/// Code in which jumps often land and constants are often small.
fn program(random: &mut Random) -> Vec<u8> {
    const COMMON: &[u8] = &[
        0x01, 0x02, 0x03, 0x04, 0x06, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x50,
        0x51, 0x52, 0x53, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5b, 0x80, 0x81, 0x82, 0x8f, 0x90, 0x91, 0x9f, 0x0a, 0x20, 0x54,
    ];
    let mut code = Vec::new();
    for _ in 0..random.below(120) {
        match random.below(5) {
            0 | 1 => code.extend([0x60, random.one_of(&[0, 1, 2, 31, 32, 33, 64, 255, 3, 9, 20, 40, 60])]),
            2 => code.extend([&[0x61, 0][..], &random.bytes(1)].concat()),
            3 if random.below(6) == 0 => {
                let length = 1 + random.below(32);
                code.push(0x5f + length as u8);
                code.extend(random.bytes(length));
            }
            _ => code.push(random.one_of(COMMON)),
        }
    }
    code
}

/// The whole result: how it ended, gas, refund, output, and in which slots.
fn by_revm(root: revm::primitives::B256, header: &Header, tx: TxEnv) -> String {
    let mut state = State::new();
    state.begin(root);
    let mut evm = Context::mainnet()
        .with_db(state)
        .modify_cfg_chained(|cfg| cfg.set_spec_and_mainnet_gas_params(SpecId::BERLIN))
        .modify_block_chained(|block| {
            block.number = U256::from(header.number);
            block.timestamp = U256::from(header.timestamp);
            block.gas_limit = header.gas_limit;
            block.difficulty = header.difficulty;
            block.beneficiary = header.coinbase;
            block.basefee = 0;
        })
        .build_mainnet();
    format!("{:?}", evm.transact(tx).expect("a result").result)
}

fn surroundings(header: &Header) -> BlockContext {
    let mut bytes = Vec::new();
    header.put(&mut bytes);
    BlockContext::read(&mut Reader(&bytes))
}

#[test]
fn common_instructions_do_what_revm_does() {
    let mut random = Random(8);
    let header = Header::at(300);
    for round in 0..4000 {
        let code = program(&mut random);
        let root = store(&[(SENDER, rich()), (CODE, contract(&code))]);
        let tx = TxEnv {
            caller: SENDER,
            kind: TxKind::Call(CODE),
            gas_limit: BASE + random.one_of(&[10, 50, 200, 3000, 40_000]) + random.below(60) as u64,
            gas_price: 0,
            chain_id: Some(1),
            ..TxEnv::default()
        };
        let mut state = State::new();
        state.begin(root);
        let mut machine = Machine::new(false);
        machine.set_env(surroundings(&header), Rules::Block);
        let ours = machine
            .with_state(&mut state, |machine| machine.transact(tx.clone(), &[]))
            .expect("a result");
        assert_eq!(
            format!("{:?}", ours.result),
            by_revm(root, &header, tx),
            "round {round}: {code:02x?}"
        );
    }
    host::reset();
}

#[test]
fn ancestors_are_those_of_the_last_256_blocks() {
    let hash_of = |number: u64, asked: u64| {
        // The hash's lowest bit as the key of a slot would hide errors: log all of it.
        let code = [&[0x61][..], &(asked as u16).to_be_bytes(), &bytes("40 6000 52 6020 6000 a0")].concat();
        let root = store(&[(SENDER, rich()), (CODE, contract(&code))]);
        let executed = block(root, &Header::at(number), &[Tx::call(SENDER, CODE, 100_000)]).expect("a block");
        executed.receipts[0].logs[0].data.clone()
    };
    for asked in [44, 45, 100, 299] {
        assert_eq!(hash_of(300, asked), host::hash_of_ancestor(asked).to_vec(), "{asked}");
    }
    for asked in [0, 43, 300, 301, 65_535] {
        assert_eq!(hash_of(300, asked), [0; 32], "{asked}");
    }
}
