// The reference's named JavaScript tracers, in our own implementation.

const EMPTY_FAULT = 'fault: function () {}'

/**
 * Counts sequences of instructions at one depth. `startsOver`: a change of depth begins a new sequence and counts
 * nothing.
 */
const runs = (length: number): string => `(function () {
  var counts = {}
  var last = new Array(${length - 1}).fill('')
  var depth = 0
  return {
    step: function (log) {
      var name = log.op.toString()
      var isSame = log.getDepth() === depth
      depth = log.getDepth()
      if (${length} === 3 && !isSame) { last.fill(''); return }
      if (${length} === 1 || isSame) {
        var row = last.concat(name).join('-')
        counts[row] = (counts[row] || 0) + 1
      }
      if (${length} > 1) { last.shift(); last.push(name) }
    },
    ${EMPTY_FAULT},
    result: function () { return counts },
  }
})()`

/** By name; each is an expression, like a caller's own script. */
export const NAMED_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['unigramTracer', runs(1)],
  ['bigramTracer', runs(2)],
  ['trigramTracer', runs(3)],
  [
    'opcountTracer',
    `(function () { var n = 0; return { step: function () { n++ }, ${EMPTY_FAULT}, result: function () { return n } } })()`,
  ],
])
