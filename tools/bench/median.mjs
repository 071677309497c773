/** The upper middle of an even number. @param {readonly number[]} values at least one @returns {number} */
export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
