//! Traces through the functions that the host calls.

use super::run::{CODE, Header, SENDER, Tx, ask, contract, result, rich, store};
use super::{Random, host};
use crate::block::DONE;
use crate::trace::{open_stage, trace_transaction};
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
    let mut input = vec![kind, 1, 1, 1];
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

/// Instructions of later rules: revm charges for them before it refuses them, so the module leaves them to the interpreter.
const LATER: &[u8] = &[0x1e, 0x48, 0x49, 0x4a, 0x4b, 0x5c, 0x5d, 0x5e, 0x5f];

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
                code.push(Some(random.next() as u8).filter(|op| !LATER.contains(op)).unwrap_or(0x5b));
            }
        }
        let gas = 21_000 + random.one_of(&[100, 3000, 30_000, 200_000]);
        let got = trace(STRUCTS, (&code, &[0x60, 1, 0x60, 0, 0x55]), &[], gas);
        assert!(got["gas"].as_u64().expect("gas") <= gas);
    }
}

fn hex(address: Address) -> String {
    address.iter().map(|byte| format!("{byte:02x}")).collect()
}
