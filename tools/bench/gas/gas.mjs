// What gas costs: programs that repeat the most expensive use of an instruction or a precompile, as a block for the engine and as a run
// of prlx's machine, in turns. CPU seconds; PEER_PROGRAMS names the folder of `pvm`, without it only ours run. A block has
// 30 Mgas, or as much more, up to a full one, as keeps prlx busy long enough for a figure that means something.

import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../lib/project.mjs'
import { bundleProgram } from '../bundle.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-gas')
const GAS = 30_000_000
const FULL_BLOCK_GAS = 600_000_000
/** Shorter runs mostly measure the root and the block around the program, and code that V8 hasn't optimized yet. */
const MIN_SECONDS = 0.3
const MAX_RATIO = 2
/** Seconds spent searching for worse cases, and how many of them join the table. */
const SEARCH_SECONDS = 60
const FINDS = 3
const SOURCES = JSON.stringify(join(ROOT, 'src'))

const byte = (value) => value.toString(16).padStart(2, '0')
/** PUSH of a number with as few bytes as it takes. */
const push = (value) => {
  const digits = value.toString(16)
  const even = digits.padStart(digits.length + (digits.length % 2), '0')
  return byte(0x5f + even.length / 2) + even
}
const MAX_WORD = 2n ** 256n - 1n
/** Puts hexadecimal `data` into memory from 0 on. */
const inMemory = (data) =>
  (data.match(/.{1,64}/g) ?? []).map((part, at) => `7f${part.padEnd(64, '0')}${push(32 * at)}52`).join('')
const op = (code, ...operands) => `${operands.map(push).join('')}${code}50`
/** A counter is on the stack; it increases with each round. */
const counted = (body) => ({ setup: push(0), body: `${push(1)}01${body}` })
const contract = (address, data) => ({
  setup: inMemory(data),
  body: `${push(0)}${push(0)}${push(data.length / 2)}${push(0)}${push(address)}5afa50`,
})
const word = (value) => BigInt(value).toString(16).padStart(64, '0')
const repeat = (text, count) => text.repeat(count)
const POINT = word(1) + word(2)
const TWIST =
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c21800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed' +
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa'
const SIGNED =
  `38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e${word(27)}` +
  '38d18acb67d25c8bb9942764b62f18e17054f66a817bd4295423adf9ed98873e789d1dd423d25f0772d2748d60f7e4b81bb14d086eba8e8e8efb6dcff8a4ae02'
/** @param end the modulus's last byte */
const power = (base, exponent, end = 'c5', modulus = base) =>
  `${word(base) + word(exponent) + word(modulus) + repeat('ff', base + exponent + modulus - 1)}${end}`
/** Pseudo-random numbers that are always the same; the highest bit of the modulus is set. */
const randomPower = (base, exponent, odd) => {
  const part = (name, length) =>
    Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
      createHash('sha256').update(`${name} ${at}`).digest('hex'),
    )
      .join('')
      .slice(0, 2 * length)
  const modulus = `ff${part('modulus', odd - 2)}c5`.padEnd(2 * base, '0')
  return word(base) + word(exponent) + word(base) + part('base', base) + repeat('ff', exponent) + modulus
}
const MIB = 0x100000
/** A contract called with zeros from memory. */
const onZeros = (address, bytes) => ({
  setup: '',
  body: `${push(0)}${push(0)}${push(bytes)}${push(0)}${push(address)}5afa50`,
})
/** Instructions that take operands, or none, and give a value. */
const plainOps = (names, ...operands) =>
  Object.fromEntries(Object.entries(names).map(([name, code]) => [name, { setup: '', body: op(code, ...operands) }]))
/** Memory of 1 MiB that repeats 32 bytes, behind init code that jumps: each round doubles it through the identity contract. */
const filledMemory = (bytes) =>
  [
    `7f${bytes.repeat(32 / (bytes.length / 2))}${push(0)}52`,
    ...Array.from({ length: 15 }, (_, round) => 32 << round).map(
      (size) => `${push(size)}${push(size)}${push(size)}${push(0)}${push(4)}5afa50`,
    ),
    ...[`7f600456005b00${bytes.repeat(26 / (bytes.length / 2))}${push(0)}52`],
  ].join('')
const created = { body: `${push(MIB)}${push(0)}${push(0)}f050` }

const CASES = {
  'empty loop': { setup: '', body: '' },
  ADD: { setup: '', body: op('01', MAX_WORD, MAX_WORD) },
  MUL: { setup: '', body: op('02', MAX_WORD, MAX_WORD - 5n) },
  DIV: { setup: '', body: op('04', 3n, MAX_WORD) },
  ...plainOps({ SDIV: '05', MOD: '06', SMOD: '07' }, MAX_WORD / 5n, MAX_WORD - 5n),
  ...plainOps({ ADDMOD: '08', MULMOD: '09' }, MAX_WORD - 9n, MAX_WORD, MAX_WORD - 5n),
  ...plainOps(
    { SIGNEXTEND: '0b', LT: '10', SLT: '12', EQ: '14', AND: '16', BYTE: '1a', SHL: '1b', SAR: '1d' },
    3,
    MAX_WORD - 5n,
  ),
  ...plainOps(
    { ISZERO: '15', NOT: '19', CALLDATALOAD: '35', MLOAD: '51', 'warm BALANCE': '31', 'warm SLOAD': '54' },
    0,
  ),
  ...plainOps({ ADDRESS: '30', CALLVALUE: '34', CODESIZE: '38', GASPRICE: '3a', NUMBER: '43', CHAINID: '46' }),
  ...plainOps({ SELFBALANCE: '47', PC: '58', MSIZE: '59', GAS: '5a' }),
  'MSTORE and MSTORE8': { setup: '', body: `${push(7)}${push(0)}52${push(7)}${push(0)}53` },
  'DUP and SWAP': { setup: repeat(push(1), 8), body: `878790${repeat('50', 2)}` },
  'SSTORE of a warm slot': counted('80600055'),
  'CODECOPY of 1 MiB': { setup: '', body: `${push(MIB)}${push(0)}${push(0)}39` },
  'cold BALANCE': counted('803150'),
  'EXTCODECOPY of 1 MiB': { setup: '', body: `${push(MIB)}${push(0)}${push(0)}303c` },
  'RETURNDATACOPY of 1 MiB': {
    setup: `${push(0)}${push(0)}${push(MIB)}${push(0)}${push(4)}5afa50`,
    body: `${push(MIB)}${push(0)}${push(0)}3e`,
  },
  EXP: { setup: '', body: op('0a', MAX_WORD, MAX_WORD - 5n) },
  'EXP by 2': { setup: '', body: op('0a', 2, MAX_WORD - 5n) },
  'EXP by 255': { setup: '', body: op('0a', 255, MAX_WORD - 5n) },
  'KECCAK of 32 bytes': { setup: '', body: op('20', 32, 0) },
  'KECCAK of 1 MiB': { setup: '', body: op('20', MIB, 0) },
  'CALLDATACOPY of 1 MiB': { setup: '', body: `${push(MIB)}${push(0)}${push(0)}37` },
  'cold SLOAD': counted('805450'),
  'cold SLOAD, slots alike in 64 bits': counted(`80${push(64)}1b5450`),
  'cold EXTCODEHASH': counted('803f50'),
  'cold EXTCODESIZE': counted('803b50'),
  'SSTORE of a new slot': counted('808055'),
  ...Object.fromEntries(
    [0, 1, 2, 3, 4].map((topics) => [
      `LOG${topics} of nothing`,
      { setup: '', body: `${repeat(push(0), topics + 2)}${byte(0xa0 + topics)}` },
    ]),
  ),
  'LOG4 of 32 bytes': { setup: '', body: `${repeat(push(0), 4)}${push(32)}${push(0)}a4` },
  'warm CALL': { setup: '', body: `${repeat(push(0), 5)}${push(0xdead)}5af150` },
  'warm CALL with 1 MiB': {
    setup: '',
    body: `${push(0)}${push(0)}${push(MIB)}${push(0)}${push(0)}${push(0xdead)}5af150`,
  },
  'warm STATICCALL': { setup: '', body: `${repeat(push(0), 4)}${push(0xdead)}5afa50` },
  'warm DELEGATECALL': { setup: '', body: `${repeat(push(0), 4)}${push(0xdead)}5af450` },
  'CREATE2 of nothing': counted(`80${repeat(push(0), 3)}f550`),
  'CREATE2 of 1 MiB that stops': counted(`80${push(MIB)}${push(0)}${push(0)}f550`),
  'CREATE of code that deletes itself': { setup: inMemory('32ff'), body: `${push(2)}${push(0)}${push(0)}f050` },
  'CREATE that reverts': { setup: inMemory('60006000fd'), body: `${push(5)}${push(0)}${push(0)}f050` },
  'CREATE of 1,024 bytes': { setup: inMemory('6104006000f3'), body: `${push(6)}${push(0)}${push(0)}f050` },
  'CREATE of 1 MiB that stops': { setup: '', body: `${push(MIB)}${push(0)}${push(0)}f050` },
  'CREATE of 1 MiB that jumps': {
    setup: `${push(0x600456005b00n)}${push(0)}52`,
    body: `${push(MIB)}${push(26)}${push(0)}f050`,
  },
  'CREATE of 1 MiB of PUSH1 that jumps': { setup: filledMemory('60'), ...created },
  'CREATE of 1 MiB of JUMPDEST that jumps': { setup: filledMemory('5b'), ...created },
  'CREATE of 1 MiB of both that jumps': { setup: filledMemory('5b60'), ...created },
  ecrecover: contract(1, SIGNED),
  'sha256 of 32 bytes': contract(2, word(5)),
  'sha256 of 1,024 bytes': onZeros(2, 1024),
  'sha256 of 1 MiB': onZeros(2, MIB),
  'ripemd160 of 32 bytes': contract(3, word(5)),
  'ripemd160 of 1,024 bytes': onZeros(3, 1024),
  'ripemd160 of 1 MiB': onZeros(3, MIB),
  'identity of 32 bytes': contract(4, word(5)),
  'identity of 1 MiB': onZeros(4, MIB),
  'modexp, 8 bytes to 1,000': contract(5, power(8, 1000)),
  'modexp, 32 bytes to 32': contract(5, power(32, 32)),
  'modexp, 32 bytes to 32, even': contract(5, power(32, 32, 'c4')),
  'modexp, 64 bytes to 64': contract(5, power(64, 64)),
  'modexp, 64 bytes to 1': contract(5, power(64, 1)),
  // What searches found: a short odd number times a long power of two, and a little more than a class of limbs.
  'modexp, 9 bytes to 2, modulo 15 bytes and 26 zeros': contract(
    5,
    `${word(9) + word(2) + word(41) + repeat('a7', 9)}b76c${repeat('d3', 15)}${repeat('00', 26)}`,
  ),
  'modexp, 33 bytes to 2': contract(5, power(33, 2)),
  'modexp, 33 bytes to 2, even': contract(5, power(33, 2, 'c4')),
  'modexp, 55 bytes to 2': contract(5, power(55, 2)),
  'modexp, 1 byte to 1': contract(5, power(1, 1)),
  'modexp, 192 bytes to 0 modulo 1 byte': contract(5, power(192, 0, 'c5', 1)),
  'modexp, 256 bytes to 64': contract(5, power(256, 64)),
  'modexp, 1,024 bytes to 1': contract(5, power(1024, 1)),
  'modexp, random 72 bytes to 32': contract(5, randomPower(72, 32, 72)),
  'modexp, random 1,024 bytes to 1': contract(5, randomPower(1024, 1, 1024)),
  'modexp, random 1,024 bytes to 32': contract(5, randomPower(1024, 32, 1024)),
  'modexp, random 1,024 bytes to 32, half zeros': contract(5, randomPower(1024, 32, 512)),
  'modexp, random 4,096 bytes to 1': contract(5, randomPower(4096, 1, 4096)),
  ecAdd: contract(6, POINT + POINT),
  ecMul: contract(7, POINT + repeat('ff', 32)),
  'pairing of 2': contract(8, repeat(POINT + TWIST, 2)),
  'blake2f of 1,000 rounds': contract(9, `000003e8${repeat('11', 208)}01`),
}

/** The program of one of the lines, by its name. */
export const gasProgram = (name) => programOf(CASES[name])

/** Runs until its gas is used up. */
function programOf({ setup, body }) {
  const start = setup.length / 2
  return `${setup}5b${body}${push(start)}56`
}

/** @param only a part of the name of each case; null: all, and what the search finds @returns {Promise<boolean>} true when no line is above twice prlx's time */
export async function benchGas({ json, only, log }) {
  await bundle('gas-bench')
  await bundle('gas-search')
  const peer = peerProgram()
  const idle = peer === null ? 0 : runPeer(peer, '00', GAS)
  let kept = true
  log('| program | Mgas | ours s | reference s | ratio |')
  log('|---|---|---|---|---|')
  const known = Object.entries(CASES).map(([name, parts]) => [name, programOf(parts)])
  const chosen = only === null ? [...known, ...worstFound(log)] : known.filter(([name]) => name.includes(only))
  for (const [name, program] of chosen) {
    const gas = gasFor((some) => (peer === null ? runOurs(program, some) : runPeer(peer, program, some) - idle))
    const ours = runOurs(program, gas)
    const theirs = peer === null ? null : Math.max(0.001, runPeer(peer, program, gas) - idle)
    const ratio = theirs === null ? null : ours / theirs
    if (ratio !== null && ratio > MAX_RATIO) kept = false
    if (json) log(JSON.stringify({ case: name, gas, seconds: ours, reference: theirs, ratio }))
    else log(`| ${[name, gas / 1e6, ...[ours, theirs].map(seconds), ratio?.toFixed(2) ?? '-'].join(' | ')} |`)
  }
  return kept
}

const seconds = (value) => value?.toFixed(2) ?? '-'

/** @param measure CPU seconds of an amount of gas */
function gasFor(measure) {
  const share = MIN_SECONDS / Math.max(0.001, measure(GAS))
  return share <= 1 ? GAS : Math.min(FULL_BLOCK_GAS, Math.ceil(share * 10) * (GAS / 10))
}

/** A new seed each time; it is printed, so that a search can be repeated. */
function worstFound(log) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const how = JSON.stringify({ seconds: SEARCH_SECONDS, seed })
  const found = JSON.parse(runScript('gas-search', `JSON.stringify(await bench.search(${SOURCES}, ${how}))`))
  log(`<!-- search of ${SEARCH_SECONDS} s, seed ${seed} -->`)
  return found.slice(0, FINDS).map(({ program }) => [`found: ${program}`, program])
}

async function bundle(name) {
  await bundleProgram(join(ROOT, 'test', 'bench', `${name}.ts`), OUT, false)
}

function runOurs(program, gas) {
  return Number(runScript('gas-bench', `await bench.measure('${program}', ${gas}, ${SOURCES})`))
}

/** What `expression` gives in a process of its own; `bench` is the module. */
function runScript(name, expression) {
  const module = JSON.stringify(pathToFileURL(join(OUT, `${name}.mjs`)).href)
  const script = `import(${module}).then(async (bench) => console.log(${expression}))`
  return execFileSync(process.execPath, ['--stack-size=3900', '-e', script], { encoding: 'utf8', cwd: ROOT })
}

function peerProgram() {
  const folder = process.env.PEER_PROGRAMS
  const path = folder === undefined ? null : join(folder, 'pvm')
  return path !== null && existsSync(path) ? path : null
}

/** CPU seconds, including startup. */
function runPeer(pvm, program, gas) {
  const command = `TIMEFORMAT='%U %S'; time "${pvm}" --code ${program} --gas ${gas} run >/dev/null 2>/dev/null`
  const { stderr } = spawnSync('bash', ['-c', command], { encoding: 'utf8' })
  return stderr
    .trim()
    .split(/\s+/)
    .reduce((sum, part) => sum + Number(part), 0)
}
