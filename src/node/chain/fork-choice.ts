// Which of two blocks is the head. Source: prlx core/forkchoice.go

/** What the choice needs of a block. */
interface Candidate {
  readonly totalDifficulty: bigint
  readonly number: bigint
}

/** Higher total difficulty wins; at a tie the lower height, then the one seen first. */
export function beatsHead(candidate: Candidate, head: Candidate): boolean {
  if (candidate.totalDifficulty !== head.totalDifficulty) return candidate.totalDifficulty > head.totalDifficulty
  return candidate.number < head.number
}
