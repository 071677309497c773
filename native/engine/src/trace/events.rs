//! What a tracer is told of calls, in prlx's order.

use revm::primitives::{Address, Bytes, U256};

/// Memory for calls, accounts or counts of one transaction.
pub const MAX_HELD_BYTES: usize = 64 << 20;

/// The error of a call that ended with REVERT.
pub const REVERTED: &str = "execution reverted";

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Call,
    CallCode,
    DelegateCall,
    StaticCall,
    Create,
    Create2,
    SelfDestruct,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Call => "CALL",
            Self::CallCode => "CALLCODE",
            Self::DelegateCall => "DELEGATECALL",
            Self::StaticCall => "STATICCALL",
            Self::Create => "CREATE",
            Self::Create2 => "CREATE2",
            Self::SelfDestruct => "SELFDESTRUCT",
        }
    }
}

/// A call before its first instruction.
pub struct CallStart {
    pub kind: Kind,
    pub from: Address,
    /// Of a creation: the new contract.
    pub to: Address,
    /// Empty for tracers that don't show it.
    pub input: Bytes,
    /// The input's first four bytes, and how many follow. None if it is shorter.
    pub selector: Option<([u8; 4], usize)>,
    pub gas: u64,
    /// None for kinds without a value of their own.
    pub value: Option<U256>,
    /// Of the built-in contract that is called, wherever the message has it: where it is by the rules.
    pub built_in: Option<Address>,
}

/// A call after its last instruction.
pub struct CallEnd {
    pub output: Bytes,
    pub gas_used: u64,
    /// None on success.
    pub error: Option<String>,
}
