//! Traces through the functions that the host calls.

use super::run::{CODE, Header, SENDER, Tx, ask, contract, result, rich, store};
use super::{Random, host};
use crate::block::DONE;
use crate::trace::{open_stage, run_message, trace_transaction};
use revm::precompile::Crypto;
use revm::primitives::Address;
use serde_json::{Value, json};

const STRUCTS: u8 = 0;
const CALLS: u8 = 1;
const PRESTATE: u8 = 2;
const SELECTORS: u8 = 3;

const OTHER: Address = Address::with_last_byte(0xdd);

/// The trace of one call of CODE; `other` is the code of OTHER.
fn trace(kind: u8, (code, other): (&[u8], &[u8]), data: &[u8], gas: u64) -> Value {
    let root = store(&[(SENDER, rich()), (CODE, contract(code)), (OTHER, contract(other))]);
    ask(open_stage, &[&[9; 32], root.as_slice(), &[0; 4]].concat());
    let mut input = vec![kind, 0, 1, 1, 1];
    input.extend_from_slice(&[0; 9]);
    Header::at(300).put(&mut input);
    let tx = Tx {
        data: data.to_vec(),
        ..Tx::call(SENDER, CODE, gas)
    };
    tx.put(&mut input);
    let answer = ask(trace_transaction, &input);
    assert_eq!(answer, DONE, "{code:02x?} {:?}", String::from_utf8_lossy(&result()));
    let text = [host::take_text(), result()].concat();
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&text)))
}

#[test]
fn struct_logs_show_each_instruction_before_it_runs() {
    let code = [0x60, 2, 0x60, 5, 0x55, 0x60, 0x20, 0x60, 0, 0xf3];
    let got = trace(STRUCTS, (&code, &[]), &[], 50_000);
    let operations: Vec<(u64, &str, u64, u64)> = got["structLogs"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|entry| {
            let number = |name: &str| entry[name].as_u64().expect(name);
            (
                number("pc"),
                entry["op"].as_str().expect("op"),
                number("gas"),
                number("gasCost"),
            )
        })
        .collect();
    assert_eq!(
        operations,
        [
            (0, "PUSH1", 29_000, 3),
            (2, "PUSH1", 28_997, 3),
            (4, "SSTORE", 28_994, 22_100),
            (5, "PUSH1", 6894, 3),
            (7, "PUSH1", 6891, 3),
            (9, "RETURN", 6888, 3),
        ]
    );
    let word = |value: u8| format!("{value:064x}");
    assert_eq!(got["structLogs"][2]["stack"], json!([word(2), word(5)]));
    assert_eq!(got["structLogs"][2]["storage"], json!({ word(5): word(2) }));
    assert_eq!(got["gas"], 21_000 + 22_100 + 15);
    assert_eq!(got["failed"], false);
    assert_eq!(got["returnValue"], word(0));
}

#[test]
fn a_failing_instruction_carries_its_error() {
    let got = trace(STRUCTS, (&[0x60, 1, 0x01], &[]), &[], 30_000);
    assert_eq!(got["structLogs"][1]["op"], "ADD");
    assert_eq!(got["structLogs"][1]["error"], "stack underflow (1 <=> 2)");
    assert_eq!(got["failed"], true);
    assert_eq!(got["gas"], 30_000);
}

/// CALL of OTHER with the first four bytes of memory, 0x00000000.
const CALLING: &[u8] = &[
    0x60, 0, 0x60, 0, 0x60, 4, 0x60, 0, 0x60, 0, 0x60, 0xdd, 0x61, 0x27, 0x10, 0xf1,
];

#[test]
fn calls_are_nested() {
    let got = trace(CALLS, (CALLING, &[0x60, 0, 0x60, 0, 0xfd]), &[], 60_000);
    assert_eq!(got["type"], "CALL");
    assert_eq!(got["from"], format!("0x{}", hex(SENDER)));
    assert_eq!(got["to"], format!("0x{}", hex(CODE)));
    let inner = &got["calls"][0];
    assert_eq!(inner["to"], format!("0x{}", hex(OTHER)));
    assert_eq!(inner["input"], "0x00000000");
    assert_eq!(inner["gas"], "0x2710");
    assert_eq!(inner["gasUsed"], "0x6");
    assert_eq!(inner["error"], "execution reverted");
}

#[test]
fn the_state_before_and_the_selectors_are_collected() {
    let code = [&[0x60, 5, 0x54][..], CALLING].concat();
    let before = trace(PRESTATE, (&code, &[]), &[], 60_000);
    let names: Vec<&String> = before.as_object().expect("an object").keys().collect();
    for address in [SENDER, CODE, OTHER] {
        assert!(names.contains(&&format!("0x{}", hex(address))), "{address} in {names:?}");
    }
    let got = trace(SELECTORS, (&code, &[0x00]), &[1, 2, 3, 4, 5], 60_000);
    assert_eq!(got, json!({ "0x01020304-1": 1, "0x00000000-0": 1 }));
}

/// The module compares the price that it shows of each instruction with what the machine then charges, and gives up where they differ.
#[test]
fn prices_of_any_program_are_those_that_are_charged() {
    let mut random = Random(9);
    for _ in 0..1500 {
        let mut code = Vec::new();
        for _ in 0..random.below(80) {
            if random.below(2) == 0 {
                code.extend([0x60, random.one_of(&[0, 1, 2, 5, 32, 64, 0xdd, 255])]);
            } else {
                code.push(random.next() as u8);
            }
        }
        let gas = 21_000 + random.one_of(&[100, 3000, 30_000, 200_000]);
        let got = trace(STRUCTS, (&code, &[0x60, 1, 0x60, 0, 0x55]), &[], gas);
        assert!(got["gas"].as_u64().expect("gas") <= gas);
    }
}

/// revm charges for those of later rules before it refuses them.
#[test]
fn instructions_that_the_rules_lack_are_invalid_whatever_gas_is_left() {
    for op in [0x0c, 0x1e, 0x48, 0x49, 0x4a, 0x4b, 0x5c, 0x5d, 0x5e, 0x5f, 0xa5, 0xfe] {
        for gas in [21_006, 21_007, 21_050, 30_000] {
            let got = trace(CALLS, (&[0x60, 1, 0x60, 1, op], &[]), &[], gas);
            let error = got["error"].as_str().expect("an error");
            assert!(error.starts_with("invalid opcode: "), "{op:#x} with {gas}: {error}");
        }
    }
}

fn hex(address: Address) -> String {
    address.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a message to CODE did as the host reads it, and the kinds of news about it. `places`: where built-in contracts are;
/// `changed`: a slot of CODE that counts as changed.
fn run(code: &[u8], wants: u8, (places, changed): (&[u8], &[u8])) -> (Vec<u8>, Vec<u32>) {
    let root = store(&[(SENDER, rich()), (CODE, contract(code))]);
    let mut input = vec![5, wants, 0, 0, 0];
    input.extend_from_slice(&[0; 8]);
    input.extend_from_slice(root.as_slice());
    Header::at(300).put(&mut input);
    Tx {
        data: vec![7; 32],
        ..Tx::call(SENDER, CODE, 100_000)
    }
    .put(&mut input);
    input.extend_from_slice(&[0; 4]);
    input.extend_from_slice(places);
    input.extend_from_slice(changed);
    assert_eq!(ask(run_message, &input), DONE, "{:?}", String::from_utf8_lossy(&result()));
    (result(), host::take_news().into_iter().map(|(kind, _)| kind).collect())
}

/// Bytes of the answer before the output: two flags, no error, gas twice, and the output's length.
const HEAD: usize = 2 + 4 + 16 + 4;

#[test]
fn a_host_is_told_what_it_asks_for() {
    // SSTORE(5, 2), LOG0, and an invalid jump.
    let code = [0x60, 2, 0x60, 5, 0x55, 0x60, 0, 0x60, 0, 0xa0, 0x60, 99, 0x56];
    let none = ([0].as_slice(), [0; 4].as_slice());
    assert_eq!(run(&code, 0, none).1, Vec::<u32>::new());
    assert_eq!(run(&code, 1, none).1, vec![0; 8]);
    // SSTORE, LOG0, and the JUMP that fails.
    assert_eq!(run(&code, 2, none).1, vec![0; 3]);
    assert_eq!(run(&code, 4, none).1, [2, 3]);
    assert_eq!(run(&code, 2 | 4 | 8 | 16, none).1, [2, 0, 0, 4, 0, 1, 3]);
    let (answer, _) = run(&code, 0, none);
    assert_eq!(&answer[..2], [0, 1]);
    assert_eq!(&answer[6..30], b"invalid jump destination");
}

#[test]
fn built_in_contracts_are_where_the_message_has_them() {
    // Returns what the contract at 0x99 makes of the 32 bytes of data.
    let code = [
        0x60, 32, 0x60, 0, 0x60, 0, 0x37, 0x60, 32, 0x60, 0, 0x60, 32, 0x60, 0, 0x60, 0, 0x60, 0x99, 0x5a, 0xf1, 0x60, 32, 0x60,
        0, 0xf3,
    ];
    let place = |address: u8, own: u8| [[0; 19].as_slice(), &[address], &[0; 19], &[own]].concat();
    let places = [&[1, 0, 0, 0, 1], place(0x99, 2).as_slice(), &[0]].concat();
    let (moved, _) = run(&code, 0, (&places, &[0; 4]));
    let hash = revm::precompile::DefaultCrypto.sha256(&[7; 32]);
    assert_eq!(moved[HEAD..HEAD + 32], hash);
    let (plain, _) = run(&code, 0, (&[0], &[0; 4]));
    assert_eq!(plain[HEAD..HEAD + 32], [7; 32]);
}

#[test]
fn a_changed_slot_keeps_the_value_before_the_message_for_its_price() {
    // SSTORE(5, 0): the slot is 0 in the state. Set by the message itself, clearing it costs 100 after the cold access.
    let code = [0x60, 0, 0x60, 5, 0x55];
    let gas = |answer: &[u8]| u64::from_be_bytes(answer[14..22].try_into().expect("eight bytes"));
    let slot = [&[0, 0, 0, 1], CODE.as_slice(), &[0; 31], &[5], &[0; 31], &[9]].concat();
    let intrinsic = 21_000 + 32 * 16;
    assert_eq!(gas(&run(&code, 0, (&[0], &[0; 4])).0), intrinsic + 6 + 2_200);
    assert_eq!(gas(&run(&code, 0, (&[0], &slot)).0), intrinsic + 6 + 2_200);
    let sets = [0x60, 3, 0x60, 5, 0x55];
    assert_eq!(gas(&run(&sets, 0, (&[0], &[0; 4])).0), intrinsic + 6 + 22_100);
    assert_eq!(gas(&run(&sets, 0, (&[0], &slot)).0), intrinsic + 6 + 2_200);
}
