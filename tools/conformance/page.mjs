// The section of results at the end of docs/benchmarks.md: the same text for the same results.

export const HEADING = '## Conformance'
const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',')
/** A cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|')

/**
 * @typedef {{ program: string, reference: string, runtime: string }} About versions
 * @param {About} about
 * @param {readonly import('./results.mjs').SectionResult[]} sections
 * @returns {string} Markdown
 */
export function conformanceSection({ program, reference, runtime }, sections) {
  const line = ({ what, passed, failed, notRun }) =>
    `| ${cell(what)} | ${number(passed)} | ${number(failed)} | ${number(notRun)} |`
  return [
    HEADING,
    '',
    `\`npm run conformance\` writes this section. ${program}, ${reference}, ${runtime}.`,
    '',
    ...sections.map(({ title, text, date }) => `- **${title}** (${date}). ${text}`),
    '',
    '| | passed | failed | not run |',
    '|---|--:|--:|--:|',
    ...sections.flatMap(({ rows }) => rows).map(line),
    '',
    ...list(
      'Failed:',
      sections.flatMap(({ failed }) => failed),
    ),
    ...list(
      'Not run:',
      sections.flatMap(({ notRun }) => notRun),
    ),
  ].join('\n')
}

/** Everything of some rows together. */
export function sumOf(rows) {
  const sum = { passed: 0, failed: 0, notRun: 0 }
  for (const row of rows) for (const name of Object.keys(sum)) sum[name] += row[name]
  return sum
}

function list(heading, lines) {
  return lines.length === 0 ? [] : [heading, '', ...lines.map((line) => `- ${line}`), '']
}
