// Suggests the known name that a mistyped one most likely meant.

/** Up to this many single-character edits count as a typo, and at most a third of the word. */
const MAX_EDITS = 3

/** The one with the fewest edits (insert, delete, replace, swap), or that starts with the word; null: none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const limit = Math.min(MAX_EDITS, Math.ceil(word.length / 3))
  let best: string | null = null
  let bestEdits = limit + 1
  for (const candidate of candidates) {
    const edits = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (edits < bestEdits) [best, bestEdits] = [candidate, edits]
  }
  if (best !== null) return best
  return word.length < 5 ? null : (candidates.find((candidate) => candidate.startsWith(word)) ?? null)
}

/** Optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length] ?? 0
}
