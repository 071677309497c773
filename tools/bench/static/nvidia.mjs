// What NVIDIA's assembler makes of the kernels for each kind of card: registers, spills, instructions of a hash, and the
// hashrate that they allow beside the one that memory allows.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CUDA_FOLDER } from '../../build-ptx.mjs'
import { countRuns, loopsOf } from './loops.mjs'
import { findTool } from './tools.mjs'

const BYTES_A_HASH = 8_192
const KECCAK_LOOP = 22 // of 24 rounds; the first and the last stand alone
/** The first that suits is what the program loads (native/src/gpu/cuda/cuda_module.cpp, with a new driver). */
const BUILDS = [
  [80, 'xhash.sm_80.ptx'],
  [61, 'xhash.sm_61.ptx'],
  [60, 'xhash.sm_60.ptx'],
]
const ARCHITECTURES = [60, 61, 70, 75, 80, 86, 89, 90, 100, 120]
/** Multiprocessors, boost clock and memory's speed by the makers' data sheets; lanes of the pipe for logic, a clock. */
const CARDS = [
  { name: 'H200', arch: 90, units: 132, gigahertz: 1.98, gigabytes: 4_800, logicLanes: 64 },
  { name: 'A100 40 GB', arch: 80, units: 108, gigahertz: 1.41, gigabytes: 1_555, logicLanes: 64 },
  { name: 'RTX 3080', arch: 86, units: 68, gigahertz: 1.71, gigabytes: 760, logicLanes: 64 },
  { name: 'RTX 4090', arch: 89, units: 128, gigahertz: 2.52, gigabytes: 1_008, logicLanes: 64 },
  { name: 'RTX 5090', arch: 120, units: 170, gigahertz: 2.41, gigabytes: 1_792, logicLanes: 128 },
]
const ISSUE_LANES = 128
const MULTIPLY_LANES = 64
const MULTIPLIES = /^(IMAD|IDP)/

/** @returns {{ kernels: object[], cards: object[] }} Throws ToolError without ptxas */
export function measureNvidia(log) {
  const ptxas = findTool('ptxas', log)
  const nvdisasm = findTool('nvdisasm', log)
  const folder = mkdtempSync(join(tmpdir(), 'headframe-static-'))
  try {
    const kernels = ARCHITECTURES.flatMap((arch) => {
      const [, file] = BUILDS.find(([least]) => arch >= least)
      const cubin = join(folder, `${arch}.cubin`)
      const made = spawnSync(ptxas, ['-O3', '-v', `-arch=sm_${arch}`, join(CUDA_FOLDER, file), '-o', cubin], {
        encoding: 'utf8',
      })
      if (made.status !== 0) throw new Error(`ptxas, sm_${arch}: ${made.stderr.split('\n')[0]}`)
      const counts = disassembled(nvdisasm, cubin)
      return reported(made.stderr).map((kernel) => ({ arch, ...kernel, counts: counts.get(kernel.name) ?? null }))
    })
    return { kernels: kernels.map(summary), cards: CARDS.map((card) => bound(card, kernels)) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} words what `ptxas -v` says */
function reported(words) {
  const entry = /entry function '(\w+)'[\s\S]*?(\d+) bytes spill stores[\s\S]*?Used (\d+) registers/g
  return [...words.matchAll(entry)].map(([, name, spills, registers]) => ({
    name,
    registers: Number(registers),
    spilledBytes: Number(spills),
  }))
}

/** By kernel, how often each kind of instruction runs a hash; none for cards that this disassembler no longer knows. */
function disassembled(nvdisasm, cubin) {
  const { stdout, status } = spawnSync(nvdisasm, ['-c', cubin], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 })
  const counts = new Map()
  if (status !== 0) return counts
  for (const section of stdout.split(/^\.text\./m).slice(1)) {
    const name = /^\w+/.exec(section)[0]
    const { ops, loops } = loopsOf(section.split('\n').flatMap(sassLine), (op) => op.startsWith('LDG'))
    const hashes = /search_(\d)/.exec(name)?.[1]
    const rows = hashes === undefined ? [64] : hashes === '8' ? [16] : [2, 16]
    counts.set(name, countRuns({ ops, loops }, { rounds: KECCAK_LOOP, rows }))
  }
  return counts
}

/** @returns {import('./loops.mjs').Line[]} */
export function sassLine(line) {
  const label = /^(\.L_x_\d+):/.exec(line)
  if (label !== null) return [{ op: '', target: null, label: label[1] }]
  const found =
    /^\s*\/\*[0-9a-f]+\*\/\s+(?:@!?U?P\w+\s+)?([A-Z][A-Z0-9_]*(?:\.[A-Z0-9_.]+)?)(?:.*`\((\.L_x_\d+)\))?/.exec(line)
  if (found === null) return []
  const [, op, target] = found
  return [{ op, target: op.startsWith('BRA') ? (target ?? null) : null, label: null }]
}

const sum = (counts, isWanted = () => true) => [...counts].reduce((all, [op, n]) => all + (isWanted(op) ? n : 0), 0)

function summary({ arch, name, registers, spilledBytes, counts }) {
  return { arch, name, registers, spilledBytes, instructions: counts === null ? null : sum(counts) }
}

/** The best search of the card: what issuing, multiplying and logic allow at its clock, and what memory allows. */
function bound(card, kernels) {
  const searches = kernels.filter(
    ({ arch, name, counts }) => arch === card.arch && /search/.test(name) && counts !== null,
  )
  const rates = searches.map(({ name, counts }) => {
    const multiplied = sum(counts, (op) => MULTIPLIES.test(op))
    const all = sum(counts)
    const clocks = Math.max(all / ISSUE_LANES, multiplied / MULTIPLY_LANES, (all - multiplied) / card.logicLanes)
    return { kernel: name, arithmeticMhs: (card.units * card.gigahertz * 1_000) / clocks }
  })
  const best = rates.reduce((a, b) => (b.arithmeticMhs > a.arithmeticMhs ? b : a))
  return { card: card.name, ...best, memoryMhs: (card.gigabytes * 1_000) / BYTES_A_HASH }
}
