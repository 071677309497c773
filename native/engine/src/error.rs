//! Why a block could not be executed at all; a refused transaction isn't one of these.

use core::fmt;
use revm::database_interface::DBErrorMarker;

#[derive(Clone, Debug)]
pub enum EngineError {
    /// The host's read failed; the host knows why.
    Host,
    MissingNode([u8; 32]),
    MissingCode([u8; 32]),
    Damaged(&'static str),
    /// A rule of the crate rejected something that was checked before; it must not decide the block then.
    Disagreed(String),
    /// A number beyond what this engine computes with; only a chain made for it has one.
    Unsupported(&'static str),
}

impl fmt::Display for EngineError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => write!(out, "read failed"),
            Self::MissingNode(hash) => write!(out, "missing trie node {hash:02x?}"),
            Self::MissingCode(hash) => write!(out, "missing code {hash:02x?}"),
            Self::Damaged(what) => write!(out, "{what} is damaged"),
            Self::Disagreed(text) => write!(out, "{text}"),
            Self::Unsupported(what) => write!(out, "{what} is not supported"),
        }
    }
}

impl core::error::Error for EngineError {}
impl DBErrorMarker for EngineError {}
