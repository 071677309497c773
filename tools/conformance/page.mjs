// The page of results: the same text for the same results.

const number = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ',')
/** A cell of a table. */
const cell = (text) => text.replaceAll('|', '\\|')

/**
 * @typedef {{ program: string, reference: string, runtime: string }} About versions
 * @param {About} about
 * @param {readonly import('./results.mjs').SectionResult[]} sections
 * @returns {string} Markdown
 */
export function conformancePage({ program, reference, runtime }, sections) {
  const sums = sections.map(({ title, rows }) => ({ ...sumOf(rows), what: `[${title}](#${anchorOf(title)})` }))
  return [
    '<!-- Made by `npm run conformance`. -->',
    '',
    '# Conformance',
    '',
    `${program}, ${reference}, ${runtime}. [How to run it](../CONTRIBUTING.md).`,
    '',
    ...table(sums),
    ...sections.flatMap(sectionLines),
  ].join('\n')
}

/** Everything of some rows together. */
export function sumOf(rows) {
  const sum = { passed: 0, failed: 0, notRun: 0 }
  for (const row of rows) for (const name of Object.keys(sum)) sum[name] += row[name]
  return sum
}

function sectionLines({ title, text, date, rows, failed, notRun }) {
  return [
    `## ${title}`,
    '',
    `${text} Run on ${date}.`,
    '',
    ...table(rows),
    ...list('Failed:', failed),
    ...list('Not run:', notRun),
  ]
}

function table(rows) {
  const line = ({ what, passed, failed, notRun }) =>
    `| ${cell(what)} | ${number(passed)} | ${number(failed)} | ${number(notRun)} |`
  return ['| | passed | failed | not run |', '|---|--:|--:|--:|', ...rows.map(line), '']
}

function list(heading, lines) {
  return lines.length === 0 ? [] : [heading, '', ...lines.map((line) => `- ${line}`), '']
}

function anchorOf(title) {
  return title.toLowerCase().replaceAll(' ', '-')
}
