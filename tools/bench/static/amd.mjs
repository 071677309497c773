// What clang and the libraries of AMD's open driver make of the OpenCL kernels for each kind of card: registers, scratch
// memory, waves, issue slots of a hash, and the hashrate that they allow beside the one that memory allows.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, ToolError } from '../../lib/project.mjs'
import { countRuns, loopsOf } from './loops.mjs'

const SOURCE = join(ROOT, 'resources', 'opencl', 'xhash.cl')
const BITCODE = '/usr/lib/x86_64-linux-gnu/amdgcn/bitcode' // Debian's rocm-device-libs
const COMPILERS = ['clang-15', 'clang-19']
const LIBRARIES = ['opencl', 'ockl', 'ocml', 'oclc_abi_version_400', 'oclc_correctly_rounded_sqrt_on']
const OPTIONS = ['oclc_daz_opt_off', 'oclc_finite_only_off', 'oclc_unsafe_math_off']
const BYTES_A_HASH = 8_192
const ACCESSES = 64
const KECCAK_ROUNDS = 24
/** Compute units, boost clock and memory's speed by the maker's data sheets; registers of a lane, most waves of a SIMD. */
const CARDS = [
  { name: 'RX 580', arch: 'gfx803', units: 36, gigahertz: 1.34, gigabytes: 256, registers: 256, unit: 4, waves: 10 },
  {
    name: 'Radeon VII',
    arch: 'gfx906',
    units: 60,
    gigahertz: 1.75,
    gigabytes: 1_024,
    registers: 256,
    unit: 4,
    waves: 10,
  },
  {
    name: 'RX 6800',
    arch: 'gfx1030',
    units: 60,
    gigahertz: 2.1,
    gigabytes: 512,
    registers: 1_024,
    unit: 16,
    waves: 16,
  },
  {
    name: 'RX 7900 XTX',
    arch: 'gfx1100',
    units: 96,
    gigahertz: 2.5,
    gigabytes: 960,
    registers: 1_536,
    unit: 24,
    waves: 16,
  },
  { name: 'MI300X', arch: 'gfx942', units: 304, gigahertz: 2.1, gigabytes: 5_300, registers: 512, unit: 8, waves: 8 },
]
const LANES_A_UNIT = 64
const HASHES_IN_FLIGHT = 2 // of a team of lanes
/** 32-bit multiplications take four turns of the pipe, others one. */
const QUARTER_RATE = /^v_(mul_(lo|hi)_[iu]32|mad_u64_u32)/
const VECTOR = /^v_/

/** @returns {object[]} a line for each card and number of lanes. Throws ToolError without compiler or libraries */
export function measureAmd() {
  if (!existsSync(BITCODE)) throw new ToolError(`${BITCODE} is missing (Debian 12: apt install rocm-device-libs)`)
  return CARDS.flatMap((card) => [4, 8].map((lanes) => ({ card: card.name, lanes, ...figures(card, lanes) })))
}

function figures(card, lanes) {
  const assembly = compile(card, lanes)
  const text = assembly.slice(assembly.search(/^search:/m))
  const { ops, loops } = loopsOf(
    text
      .slice(0, text.search(/^\.Lfunc_end/m))
      .split('\n')
      .flatMap(gcnLine),
    isRowLoad,
  )
  // A turn is two hashes, a sweep one access of each word of a lane's blocks.
  const words = lanes === 8 ? 4 : 8
  const rows = [lanes / 2, ACCESSES / (lanes * words), lanes]
  const counts = countRuns({ ops, loops }, { rounds: KECCAK_ROUNDS, rows })
  const slots = [...counts].reduce(
    (all, [op, n]) => all + (VECTOR.test(op) ? n * (QUARTER_RATE.test(op) ? 4 : 1) : 0),
    0,
  )
  const { registers, scratchBytes } = metadata(assembly)
  const waves = Math.min(card.waves, Math.floor(card.registers / (Math.ceil(registers / card.unit) * card.unit)))
  const simds = isWave64(card.arch) ? 4 : 2
  return {
    arch: card.arch,
    registers,
    scratchBytes,
    waves,
    rowsInFlight: (waves * simds * (isWave64(card.arch) ? 64 : 32) * HASHES_IN_FLIGHT) / lanes,
    barriers: ops.filter((op) => op === 's_barrier').length,
    slots,
    arithmeticMhs: (card.units * LANES_A_UNIT * card.gigahertz * 1_000) / slots,
    memoryMhs: (card.gigabytes * 1_000) / BYTES_A_HASH,
  }
}

/** With the first compiler that knows the card. */
function compile({ arch }, lanes) {
  const isa = join(BITCODE, `oclc_isa_version_${arch.slice(3)}.bc`)
  const libraries = [...LIBRARIES, ...OPTIONS, `oclc_wavefrontsize64_${isWave64(arch) ? 'on' : 'off'}`]
  // Libraries older than the GPU treat it as a relative: nothing used here differs.
  const kin = existsSync(isa) ? isa : join(BITCODE, `oclc_isa_version_${isWave64(arch) ? '940' : '1036'}.bc`)
  const linked = [...libraries.map((name) => join(BITCODE, `${name}.bc`)), kin]
  const defines = ['PARTS=1', 'INTERLEAVE=1', `LANES=${lanes}`, `GROUP=${isWave64(arch) ? 64 : 32}`, 'ROOM=16']
  const args = [
    '-x',
    'cl',
    '-cl-std=CL1.2',
    '-target',
    'amdgcn-amd-amdhsa',
    `-mcpu=${arch}`,
    '-mcode-object-version=4',
    '-O3',
  ]
  args.push('-nogpulib', '-Xclang', '-finclude-default-header', ...defines.map((define) => `-D${define}`))
  args.push(
    ...linked.flatMap((file) => ['-Xclang', '-mlink-builtin-bitcode', '-Xclang', file]),
    '-S',
    '-o',
    '-',
    SOURCE,
  )
  const tried = []
  for (const compiler of COMPILERS) {
    const made = spawnSync(compiler, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    if (made.status === 0) return made.stdout
    tried.push(`${compiler}: ${made.error?.code ?? made.stderr.split('\n').find((line) => /error/.test(line))}`)
  }
  throw new ToolError(`no compiler for ${arch}: ${tried.join(' | ')}`)
}

/** For older GPUs; newer ones run the kernels in waves of 32. */
const isWave64 = (arch) => !arch.startsWith('gfx1')
const isRowLoad = (op) => /^(global|flat)_load_(dwordx4|b128)/.test(op)

/** @returns {import('./loops.mjs').Line[]} */
export function gcnLine(line) {
  const label = /^(\.LBB\d+_\d+):/.exec(line)
  if (label !== null) return [{ op: '', target: null, label: label[1] }]
  const found = /^\t([a-z]\w*)(?:\s+([^;]*))?/.exec(line)
  if (found === null) return []
  const [, op, operands = ''] = found
  const target = /^s_c?branch/.test(op) ? operands.trim() : null
  return [{ op: op.replace(/_(e32|e64|sdwa|dpp|e64_dpp)$/, ''), target, label: null }]
}

/** Of the search, from the notes at the end of the assembly. */
function metadata(assembly) {
  const note = assembly.split(/^ {2}- (?=\.)/m).find((part) => /^ {4}\.name: +search$/m.test(part))
  const number = (name) => Number(new RegExp(`\\.${name}: +(\\d+)`).exec(note)[1])
  return { registers: number('vgpr_count'), scratchBytes: number('private_segment_fixed_size') }
}
