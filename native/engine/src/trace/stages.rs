//! States between the transactions of a block: tracing one of them again, or a later one, begins where an earlier trace began.

use crate::state::Stage;
use revm::primitives::B256;

const MAX_STAGES: usize = 256;
/// Accounts and slots that all kept stages may hold together.
const MAX_HELD: usize = 100_000;

/// Before transaction `index` of block `block`.
struct Kept {
    block: B256,
    index: usize,
    stage: Stage,
    held: usize,
}

/// The last used first.
#[derive(Default)]
pub struct Stages(Vec<Kept>);

impl Stages {
    /// That transaction's stage, which is the caller's until `keep`, or a copy of the nearest before it; with its index.
    pub fn take(&mut self, block: B256, index: usize) -> Option<(usize, Stage)> {
        let before = self
            .0
            .iter()
            .enumerate()
            .filter(|(_, kept)| kept.block == block && kept.index <= index);
        let (place, found) = before
            .max_by_key(|(_, kept)| kept.index)
            .map(|(place, kept)| (place, kept.index))?;
        if found == index {
            return Some((found, self.0.remove(place).stage));
        }
        Some((found, self.0[place].stage.clone()))
    }

    /// Gives up the ones that weren't used for longest.
    pub fn keep(&mut self, block: B256, index: usize, stage: Stage) {
        let held = stage.held();
        self.0.insert(
            0,
            Kept {
                block,
                index,
                stage,
                held,
            },
        );
        self.0.truncate(MAX_STAGES);
        let mut all = 0;
        self.0.retain(|kept| {
            all += kept.held;
            all <= MAX_HELD
        });
    }
}
