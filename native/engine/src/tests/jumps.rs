//! Jump destinations against a search byte by byte.

use super::Random;
use super::run::call;
use crate::bytecode::analyzed;
use revm::bytecode::opcode::{JUMP, JUMPDEST, PUSH1, PUSH2, PUSH32, STOP};
use revm::primitives::Bytes;

fn destinations(code: &[u8]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < code.len() {
        match code[at] {
            JUMPDEST => found.push(at),
            push @ PUSH1..=PUSH32 => at += (push - PUSH1) as usize + 1,
            _ => {}
        }
        at += 1;
    }
    found
}

#[test]
fn destinations_are_found_among_pushed_bytes() {
    let mut random = Random(7);
    for _ in 0..3000 {
        let length = random.below(400);
        let dense = random.below(3);
        let code: Vec<u8> = (0..length)
            .map(|_| match random.below(4 + 40 * dense) {
                0 => PUSH1 + random.below(32) as u8,
                1 => random.one_of(&[0x5a, 0x5c, 0x5f, 0x80, 0xdb]),
                _ => random.one_of(&[JUMPDEST, STOP]),
            })
            .collect();
        let table = analyzed(Bytes::from(code.clone()))
            .legacy_jump_table()
            .cloned()
            .expect("a table");
        let found: Vec<usize> = (0..length + 40).filter(|at| table.is_valid(*at)).collect();
        assert_eq!(found, destinations(&code), "{code:02x?}");
    }
}

/// A jump to each place of the code succeeds exactly where the search finds a destination.
#[test]
fn jumps_land_on_destinations_only() {
    for tail in [
        vec![PUSH2, JUMPDEST, JUMPDEST, JUMPDEST, STOP],
        vec![JUMPDEST, PUSH32, JUMPDEST],
    ] {
        for target in 0..20u8 {
            let code = [&[PUSH1, target, JUMP][..], &tail[..]].concat();
            let is_valid = destinations(&code).contains(&(target as usize));
            assert_eq!(call(&code, &[], 100_000).has_succeeded, is_valid, "{target} in {code:02x?}");
        }
    }
}
