// The reference's tracers in JavaScript that can be asked for by name, in our own words.

const EMPTY_FAULT = 'fault: function () {}'

/** Counts runs of so many instructions in a row at one depth. `startsOver`: a change of depth begins a new row and counts nothing. */
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

/** By name; each is an expression as a caller's own would be. */
export const NAMED_SCRIPTS: ReadonlyMap<string, string> = new Map([
  ['unigramTracer', runs(1)],
  ['bigramTracer', runs(2)],
  ['trigramTracer', runs(3)],
  [
    'opcountTracer',
    `(function () { var n = 0; return { step: function () { n++ }, ${EMPTY_FAULT}, result: function () { return n } } })()`,
  ],
])
