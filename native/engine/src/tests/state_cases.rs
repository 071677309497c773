//! The public state tests under Berlin rules, each case a block of one transaction: test/vectors/state. Programs that take a
//! minute, and accounts that only a genesis can hold, are left out: test/node/state-tests.test.ts runs them in both engines.

use super::host;
use super::run::{Before, Executed, Header, Log, Tx, block, store};
use crate::keccak::keccak256;
use crate::rlp;
use revm::primitives::{Address, B256, U256};
use serde_json::Value;
use std::io::Read;

const VECTORS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test/vectors/state/");

/// The same as in that test; besides these, folders whose programs are long.
const LONG: &[&str] = &[
    "VMTests/vmPerformance",
    "stTimeConsuming",
    "stQuadraticComplexityTest",
    "stStaticCall",
    "Call50000",
    "Return50000",
    "Call1MB1024Calldepth",
    "LoopCallsThenRevert",
    "ContractCreationSpam",
    "Create2Recursive",
];

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("0x");
    let padded = if digits.len() % 2 == 1 {
        format!("0{digits}")
    } else {
        digits.into()
    };
    let pair = |at: usize| u8::from_str_radix(&padded[at..at + 2], 16).expect("digits");
    (0..padded.len()).step_by(2).map(pair).collect()
}

fn word(value: &Value) -> U256 {
    U256::from_be_slice(&bytes(value.as_str().expect("a number")))
}

/// None for a number that doesn't fit.
fn long(value: U256) -> Option<u64> {
    u64::try_from(value).ok()
}

struct Items<'a>(&'a [u8]);

impl<'a> Items<'a> {
    fn of(list: &'a [u8]) -> Option<Self> {
        let (item, rest) = rlp::split(list)?;
        (item.is_list && rest.is_empty()).then_some(Self(item.payload))
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let (item, rest) = rlp::split(self.0)?;
        self.0 = rest;
        Some(item.payload)
    }

    fn number(&mut self) -> Option<U256> {
        U256::try_from_be_slice(self.next()?)
    }
}

/// The signed transaction; None if it isn't valid under these rules, or has no sender.
fn transaction(raw: &[u8]) -> Option<Tx> {
    let kind = if raw.first()? < &0xc0 { raw[0] } else { 0 };
    let mut fields = match kind {
        0 => Items::of(raw)?,
        1 => Items::of(&raw[1..])?,
        _ => return None,
    };
    let mut signed = fields.0;
    if kind == 1 && fields.number()? != U256::ONE {
        return None;
    }
    let (nonce, gas_price, gas) = (long(fields.number()?)?, fields.number()?, long(fields.number()?)?);
    let to = fields.next()?;
    let (value, data) = (fields.number()?, fields.next()?.to_vec());
    let access_list = if kind == 1 { access_list(fields.next()?)? } else { Vec::new() };
    signed = &signed[..signed.len() - fields.0.len()];
    let v = long(fields.number()?)?;
    let (r, s) = (fields.number()?, fields.number()?);
    let half = U256::from_str_radix("7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0", 16).expect("digits");
    let (parity, suffix): (u64, &[u8]) = match (kind, v) {
        (1, 0 | 1) => (v, &[]),
        (0, 27 | 28) => (v - 27, &[]),
        // EIP-155 for chain 1.
        (0, 37 | 38) => (v - 37, &[1, 0x80, 0x80]),
        _ => return None,
    };
    let list = rlp::list(&[signed, suffix].concat());
    let digest = keccak256(if kind == 1 { [&[1], &list[..]].concat() } else { list });
    if s > half {
        return None;
    }
    let signature = [r.to_be_bytes::<32>(), s.to_be_bytes::<32>()].concat();
    let key = crate::boundary::host::recovered_key(&digest.0, &signature.try_into().ok()?, parity as u8)?;
    Some(Tx {
        kind,
        sender: Address::from_slice(&keccak256(key)[12..]),
        nonce,
        gas_price,
        gas,
        to: match to.len() {
            0 => None,
            20 => Some(Address::from_slice(to)),
            _ => return None,
        },
        value,
        data,
        access_list,
    })
}

fn access_list(mut entries: &[u8]) -> Option<Vec<(Address, Vec<B256>)>> {
    let mut list = Vec::new();
    while !entries.is_empty() {
        let (entry, rest) = rlp::split(entries)?;
        entries = rest;
        let mut fields = Items(entry.payload);
        let address = Address::try_from(fields.next()?).ok()?;
        let mut keys = Items(fields.next()?);
        let mut found = Vec::new();
        while !keys.0.is_empty() {
            found.push(B256::try_from(keys.next()?).ok()?);
        }
        list.push((address, found));
    }
    Some(list)
}

fn accounts_of(pre: &Value) -> Vec<(Address, Before)> {
    let accounts = pre.as_object().expect("accounts").iter();
    accounts
        .map(|(address, account)| {
            let storage = account["storage"].as_object().expect("storage").iter();
            let before = Before {
                nonce: long(word(&account["nonce"])).expect("a nonce"),
                balance: word(&account["balance"]),
                code: bytes(account["code"].as_str().expect("code")),
                storage: storage
                    .map(|(slot, value)| (U256::from_be_slice(&bytes(slot)), word(value)))
                    .collect(),
            };
            (Address::from_slice(&bytes(address)), before)
        })
        .collect()
}

fn header_of(env: &Value) -> Option<Header> {
    Some(Header {
        number: long(word(&env["currentNumber"]))?,
        timestamp: long(word(&env["currentTimestamp"]))?,
        coinbase: Address::from_slice(&bytes(env["currentCoinbase"].as_str()?)),
        difficulty: word(&env["currentDifficulty"]),
        gas_limit: long(word(&env["currentGasLimit"]))?,
    })
}

fn hash_of_logs(logs: &[&Log]) -> B256 {
    let mut items = Vec::new();
    for log in logs {
        let mut topics = Vec::new();
        log.topics
            .iter()
            .for_each(|topic| rlp::put_bytes(&mut topics, topic.as_slice()));
        let mut fields = Vec::new();
        rlp::put_bytes(&mut fields, log.address.as_slice());
        fields.extend(rlp::list(&topics));
        rlp::put_bytes(&mut fields, &log.data);
        items.extend(rlp::list(&fields));
    }
    keccak256(rlp::list(&items))
}

fn cases() -> Vec<Value> {
    let file = std::fs::File::open([VECTORS, "berlin-state-tests.jsonl.br"].concat()).expect("the vectors");
    let mut text = String::new();
    brotli_decompressor::Decompressor::new(file, 1 << 16)
        .read_to_string(&mut text)
        .expect("text");
    text.lines().map(|line| serde_json::from_str(line).expect("a test")).collect()
}

fn is_unusual(accounts: &[(Address, Before)]) -> bool {
    accounts
        .iter()
        .any(|(_, account)| account.nonce == 0 && account.code.is_empty() && !account.storage.is_empty())
}

/// How many cases were run, and what was wrong.
fn run(test: &Value, faults: &mut Vec<String>) -> usize {
    let accounts = accounts_of(&test["pre"]);
    let Some(header) = header_of(&test["env"]) else { return 0 };
    if is_unusual(&accounts) {
        return 0;
    }
    let mut done = 0;
    for post in test["post"].as_array().expect("cases") {
        let root = store(&accounts);
        let raw = bytes(post["txbytes"].as_str().expect("txbytes"));
        let Some(tx) = transaction(&raw) else { continue };
        // Refused: the state is as before, but for an empty account of the miner's.
        let Ok(executed) = block(root, &header, &[tx]) else { continue };
        let Executed { root, receipts } = &executed;
        let logs: Vec<&Log> = receipts.iter().flat_map(|receipt| &receipt.logs).collect();
        let expected = [&post["hash"], &post["logs"]].map(|hash| B256::from_slice(&bytes(hash.as_str().expect("a hash"))));
        if [*root, hash_of_logs(&logs)] != expected {
            faults.push(format!("{}: {root} for {}", test["name"], expected[0]));
        }
        done += 1;
    }
    host::reset();
    done
}

#[test]
fn public_state_tests_give_the_expected_roots_and_logs() {
    let mut faults = Vec::new();
    let tests = cases();
    let usual = tests.iter().filter(|test| {
        let file = test["file"].as_str().expect("file");
        !LONG.iter().any(|part| file.contains(part))
    });
    let done: usize = usual.map(|test| run(test, &mut faults)).sum();
    assert!(
        faults.is_empty(),
        "{} of {done}: {}",
        faults.len(),
        faults[..faults.len().min(20)].join("\n")
    );
    assert!(done > 7500, "{done} cases were run");
}
