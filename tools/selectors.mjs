// Makes resources/selectors/4bytes.json: method signatures by their first four bytes, from the ABIs of unpacked
// packages and resources/selectors/standards.txt.
//   node tools/selectors.mjs FOLDER...    each an unpacked @openzeppelin/contracts (`npm pack`, then tar x)
// The result is committed; it is made again only when the sources change (resources/selectors/README.md).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, runTool, ToolError } from './lib/project.mjs'
import { packagesFirst } from './lib/set-up.mjs'

await packagesFirst()
const { keccak_256 } = await import('@noble/hashes/sha3.js')

const FOLDER = join(ROOT, 'resources', 'selectors')

await runTool(async () => {
  const folders = process.argv.slice(2)
  if (folders.length === 0) throw new ToolError('selectors: name at least one unpacked package')
  const standards = readFileSync(join(FOLDER, 'standards.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  // Standards first: where two signatures share a selector, the first is tried first.
  const signatures = new Set([...standards, ...folders.flatMap(signaturesOf).sort()])
  const table = new Map()
  for (const signature of signatures) {
    const selector = Buffer.from(keccak_256(new TextEncoder().encode(signature)).subarray(0, 4)).toString('hex')
    table.set(selector, [...(table.get(selector) ?? []), signature])
  }
  const rows = [...table].sort(([a], [b]) => (a < b ? -1 : 1)).map(rowText)
  writeFileSync(join(FOLDER, '4bytes.json'), `{\n${rows.join(',\n')}\n}\n`)
  console.log(`${table.size} selectors of ${signatures.size} signatures`)
  return 0
})

/** In the shape that the formatter leaves alone. */
function rowText([selector, signatures]) {
  const row = `  ${JSON.stringify(selector)}: [${signatures.map((text) => JSON.stringify(text)).join(', ')}]`
  if (row.length < 120) return row
  return `  ${JSON.stringify(selector)}: [\n    ${signatures.map((text) => JSON.stringify(text)).join(',\n    ')}\n  ]`
}

/** Functions in the compiled artifacts of a package. */
function signaturesOf(folder) {
  const artifacts = join(folder, 'build', 'contracts')
  return readdirSync(artifacts)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => JSON.parse(readFileSync(join(artifacts, file), 'utf8')).abi)
    .filter((item) => item.type === 'function')
    .map((item) => `${item.name}(${item.inputs.map(typeText).join(',')})`)
}

/** Tuples by their members, with the array suffix behind. */
function typeText({ type, components = [] }) {
  if (!type.startsWith('tuple')) return type
  return `(${components.map(typeText).join(',')})${type.slice('tuple'.length)}`
}
