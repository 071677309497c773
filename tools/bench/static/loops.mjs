// How often each instruction of a kernel runs, read from its assembly: loops are branches back, and the kernels' own text
// says how often each kind of loop is run.

/**
 * @typedef {{ op: string, target: string | null, label: string | null }} Line an instruction, or a label before one
 * @typedef {{ first: number, last: number, holdsLoad: boolean, depth: number }} Loop places of instructions
 */

/**
 * @param {readonly Line[]} lines of one kernel
 * @param {(op: string) => boolean} isLoad whether an instruction reads a row
 * @returns {{ ops: string[], loops: Loop[] }} depth counts from 0 among loops of the same kind that hold each other
 */
export function loopsOf(lines, isLoad) {
  const ops = []
  const labels = new Map()
  const jumps = []
  for (const { op, target, label } of lines) {
    if (label !== null) {
      labels.set(label, ops.length)
      continue
    }
    if (target !== null) jumps.push({ from: ops.length, target })
    ops.push(op)
  }
  // Assemblers put a branch to itself after a kernel's end.
  const back = jumps.flatMap(({ from, target }) =>
    (labels.get(target) ?? from) < from ? [[labels.get(target), from]] : [],
  )
  const loops = merged(back).map(([first, last]) => ({
    first,
    last,
    holdsLoad: ops.slice(first, last + 1).some(isLoad),
    depth: 0,
  }))
  for (const loop of loops) {
    const holds = (other) => other !== loop && other.first <= loop.first && other.last >= loop.last
    loop.depth = loops.filter((other) => other.holdsLoad === loop.holdsLoad && holds(other)).length
  }
  return { ops, loops }
}

/** Branches back to one place, or across each other, are one loop with several ends or entries. */
function merged(ranges) {
  const all = []
  for (const range of [...ranges].sort(([a, x], [b, y]) => a - b || y - x)) {
    const [first, last] = range
    const same = all.find(([from, to]) => first === from || (first <= to && last > to))
    if (same === undefined) all.push([first, last])
    else same[1] = Math.max(same[1], last)
  }
  return all
}

/**
 * @param {{ ops: readonly string[], loops: readonly Loop[] }} kernel
 * @param {{ rounds: number, rows: readonly number[] }} runs of loops without a load, and of those with one, outermost first
 * @returns {Map<string, number>} how often each kind of instruction runs for one thread. Throws an Error when loops are
 * nested otherwise than expected, for then the count would be a guess.
 */
export function countRuns({ ops, loops }, { rounds, rows }) {
  const deepest = Math.max(-1, ...loops.filter(({ holdsLoad }) => holdsLoad).map(({ depth }) => depth))
  if (deepest + 1 !== rows.length) throw new Error(`${rows.length} loops over rows expected, ${deepest + 1} found`)
  const counts = new Map()
  for (const [place, op] of ops.entries()) {
    let runs = 1
    for (const { first, last, holdsLoad, depth } of loops) {
      if (place >= first && place <= last) runs *= holdsLoad ? (rows[depth] ?? 1) : rounds
    }
    counts.set(op, (counts.get(op) ?? 0) + runs)
  }
  return counts
}
