//! What a trace shows of the 256 byte values under this chain's rules (Berlin). Source: go-ethereum 1.10.18 core/vm/opcodes.go,
//! jump_table.go (the constant part of each price)

use revm::bytecode::opcode::*;

/// Words on the stack, at most.
pub const MAX_HEIGHT: usize = 1024;

const BASE: u64 = 2;
const VERY_LOW: u64 = 3;
const LOW: u64 = 5;
const MID: u64 = 8;
const WARM: u64 = 100;

/// One byte value.
#[derive(Clone, Copy)]
pub struct Operation {
    /// Empty for values without one, which `put_name` describes by number.
    name: &'static str,
    pub pops: usize,
    pub pushes: usize,
    /// The constant part of its price.
    pub gas: u64,
    /// Words from the top of the stack that it may change.
    pub changes: usize,
}

const UNDEFINED: Operation = Operation {
    name: "",
    pops: 0,
    pushes: 0,
    gas: 0,
    changes: 0,
};

/// By byte value.
pub static OPERATIONS: [Operation; 256] = {
    let mut table = [UNDEFINED; 256];
    let mut op = 0;
    while op < 256 {
        table[op] = operation(op as u8);
        op += 1;
    }
    table
};

const fn operation(op: u8) -> Operation {
    let Some(info) = OPCODE_INFO[op as usize] else {
        return UNDEFINED;
    };
    let name = info.name();
    let Some(gas) = constant_gas(op) else {
        // Names that prlx knows for instructions that these rules lack.
        let is_known = matches!(op, BASEFEE | PUSH0 | INVALID);
        return Operation {
            name: if is_known { name } else { "" },
            ..UNDEFINED
        };
    };
    let pops = info.inputs() as usize;
    Operation {
        name,
        pops,
        pushes: info.outputs() as usize,
        gas,
        changes: if matches!(op, DUP1..=DUP16) { 0 } else { pops },
    }
}

/// None where the rules have no such instruction.
const fn constant_gas(op: u8) -> Option<u64> {
    Some(match op {
        STOP | EXP | SLOAD | SSTORE | LOG0..=LOG4 | RETURN | REVERT => 0,
        ADD | SUB | LT..=SAR | MLOAD | MSTORE | MSTORE8 | PUSH1..=PUSH32 | DUP1..=DUP16 | SWAP1..=SWAP16 => VERY_LOW,
        CALLDATALOAD | CALLDATACOPY | CODECOPY | RETURNDATACOPY => VERY_LOW,
        MUL | DIV | SDIV | MOD | SMOD | SIGNEXTEND | SELFBALANCE => LOW,
        ADDMOD | MULMOD | JUMP => MID,
        JUMPI => 10,
        JUMPDEST => 1,
        KECCAK256 => 30,
        BLOCKHASH => 20,
        BALANCE | EXTCODESIZE | EXTCODECOPY | EXTCODEHASH | CALL | CALLCODE | DELEGATECALL | STATICCALL => WARM,
        CREATE | CREATE2 => 32_000,
        SELFDESTRUCT => 5_000,
        ADDRESS | ORIGIN | CALLER | CALLVALUE | CALLDATASIZE | CODESIZE | GASPRICE | RETURNDATASIZE => BASE,
        COINBASE | TIMESTAMP | NUMBER | DIFFICULTY | GASLIMIT | CHAINID | POP | PC | MSIZE | GAS => BASE,
        _ => return None,
    })
}

/// As prlx prints it.
pub fn put_name(out: &mut Vec<u8>, op: u8) {
    let name = OPERATIONS[op as usize].name;
    if name.is_empty() {
        out.extend_from_slice(format!("opcode 0x{op:x} not defined").as_bytes());
    } else {
        out.extend_from_slice(name.as_bytes());
    }
}

/// Whether these rules have the instruction.
pub fn is_defined(op: u8) -> bool {
    constant_gas(op).is_some()
}

pub fn fits_stack(op: u8, height: usize) -> bool {
    let Operation { pops, pushes, .. } = OPERATIONS[op as usize];
    height >= pops && height <= MAX_HEIGHT + pops - pushes
}

/// The error of an instruction that doesn't fit the stack.
pub fn stack_fault(op: u8, height: usize) -> String {
    let Operation { pops, pushes, .. } = OPERATIONS[op as usize];
    if height < pops {
        format!("stack underflow ({height} <=> {pops})")
    } else {
        format!("stack limit reached {height} ({})", MAX_HEIGHT + pops - pushes)
    }
}
