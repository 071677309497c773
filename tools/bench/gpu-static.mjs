// What can be known about the GPU kernels without a GPU: registers, spills and instructions of the machine code for
// each kind of GPU, and the hashrates that its arithmetic and its memory allow.
import { ToolError } from '../lib/project.mjs'
import { measureAmd } from './static/amd.mjs'
import { measureNvidia } from './static/nvidia.mjs'

/** @returns {boolean} false when neither vendor's compiler is available */
export function benchGpuStatic({ json, log }) {
  const figures = { nvidia: unlessMissing(() => measureNvidia(log), log), amd: unlessMissing(measureAmd, log) }
  log(json ? JSON.stringify(figures) : tables(figures).join('\n'))
  return figures.nvidia !== null || figures.amd !== null
}

function unlessMissing(measure, log) {
  try {
    return measure()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    log(`left out: ${error.message}`)
    return null
  }
}

/** As Markdown. */
function tables({ nvidia, amd }) {
  return [
    ...(nvidia === null ? [] : [...kernelTable(nvidia.kernels), '', ...cardTable(nvidia.cards), '']),
    ...amdTable(amd),
  ]
}

function kernelTable(kernels) {
  const architectures = [...new Set(kernels.map(({ arch }) => arch))]
  const names = [...new Set(kernels.map(({ name }) => name))].sort()
  const cell = (found) => {
    if (found === undefined) return '-'
    const spilled = found.spilledBytes > 0 ? ` (${found.spilledBytes})` : ''
    return `${found.registers}${spilled}${found.instructions === null ? '' : `, ${found.instructions.toLocaleString('en')}`}`
  }
  const row = (name) =>
    architectures.map((arch) => cell(kernels.find((each) => each.arch === arch && each.name === name)))
  return table(
    ['registers (bytes spilled), instructions', ...architectures.map((arch) => `sm_${arch}`)],
    names.map((name) => [`\`${name.replace('xhash_', '')}\``, ...row(name)]),
  )
}

const cardTable = (cards) =>
  table(
    ['card', 'best search', 'arithmetic allows', 'memory allows'],
    cards.map(({ card, kernel, arithmeticMhs, memoryMhs }) => [
      card,
      `\`${kernel.replace('xhash_', '')}\``,
      `${Math.round(arithmeticMhs)} MH/s`,
      `${memoryMhs.toFixed(1)} MH/s`,
    ]),
  )

function amdTable(lines) {
  if (lines === null) return []
  return table(
    ['card', 'lanes', 'registers', 'scratch', 'waves', 'rows in flight a unit', 'slots', 'arithmetic', 'memory'],
    lines.map((line) => [
      `${line.card} (${line.arch})`,
      String(line.lanes),
      String(line.registers),
      String(line.scratchBytes),
      String(line.waves),
      String(line.rowsInFlight),
      line.slots.toLocaleString('en'),
      `${Math.round(line.arithmeticMhs)} MH/s`,
      `${line.memoryMhs.toFixed(1)} MH/s`,
    ]),
  )
}

const table = (heads, rows) => [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
