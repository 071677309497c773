// Hostile chains, imported by whole programs: blocks of one transaction each that costs a node the most for its gas, and one chain that costs nothing, to show what startup takes. Ours and prlx in turn, including startup,
// in CPU seconds of all threads; PEER_PROGRAMS names the folder of `prlx`.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildChainMaker, importInTurn, referenceProgram, writeChain } from '../import/whole-programs.mjs'
import { median } from '../median.mjs'
import { gasProgram } from './gas.mjs'

const BLOCKS = 6
/** Of what six blocks would cost less than the programs' starts. */
const MANY_BLOCKS = 60
const RUNS = 3
const MAX_RATIO = 2

/** One power: base and modulus of a byte, an exponent of 1,000,000 bytes, the modulus behind it in memory. */
const LONG_POWER = [
  ...['6001600052', '620f4240602052', '6001604052', '6003606053', '60ff606153', '60c5620f42a153'],
  ...['60006000620f42a2600060055afa50', '00'],
].join('')

/** The parent's hash, again and again. */
const PARENT = '5b600143034050600056'
const LOG0 = '5b60006000a0600056'

const BUSY = ['ecMul', 'ecrecover', 'pairing of 2', 'blake2f of 1,000 rounds', 'CREATE of 1 MiB that jumps']
/** These take so little time that 30 Mgas would measure the programs' starts. */
const QUICK = [
  'warm CALL',
  'modexp, 64 bytes to 64',
  'modexp, 1,024 bytes to 1',
  'modexp, random 1,024 bytes to 32',
  'empty loop',
]
const QUICKEST = ['CREATE of 1,024 bytes', 'SSTORE of a new slot']
const busy = (names, mgas, blocks = BLOCKS) =>
  names.map((name) => ({ title: `${mgas} Mgas of ${name}`, program: gasProgram(name), gas: mgas * 1_000_000, blocks }))
const CASES = [
  { title: 'a call that stops at once', program: '00', gas: 100_000 },
  { title: 'one power with an exponent of 1 MB', program: LONG_POWER, gas: 5_000_000 },
  ...busy(BUSY, 30),
  ...busy(QUICK, 300),
  ...busy(QUICKEST, 300, MANY_BLOCKS),
  { title: '300 Mgas of BLOCKHASH', program: PARENT, gas: 300_000_000 },
  { title: '300 Mgas of LOG0 of nothing', program: LOG0, gas: 300_000_000 },
]

/** @returns {Promise<boolean>} true when no chain takes us more than twice prlx's CPU time */
export async function benchHostile({ only, quick, log }) {
  await buildChainMaker()
  const reference = referenceProgram()
  if (reference === null) log('no prlx in PEER_PROGRAMS: only our own figures')
  const runs = quick ? 1 : RUNS
  log(
    `${BLOCKS} blocks each, ${MANY_BLOCKS} of what is cheapest, ${runs} runs in turn, medians; load ${loadavg()[0]?.toFixed(1)}`,
  )
  log('| each block | ours CPU s | reference CPU s | ratio |')
  log('|---|---|---|---|')
  let kept = true
  for (const chain of CASES.filter(({ title }) => only === null || title.includes(only))) {
    const { ours, theirs } = measure(chain, reference, runs)
    const ratio = theirs === null ? null : ours / theirs
    if (ratio !== null && ratio > MAX_RATIO) kept = false
    log(`| ${chain.title} | ${ours.toFixed(2)} | ${theirs?.toFixed(2) ?? '-'} | ${ratio?.toFixed(2) ?? '-'} |`)
  }
  return kept
}

function measure({ program, gas, blocks = BLOCKS }, reference, runs) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-hostile-'))
  try {
    writeChain('writeHostile', folder, { blocks, program, gas })
    const { ours, theirs } = importInTurn(folder, { reference, runs })
    const middle = (imports) => median(imports.map(({ cpuSeconds }) => cpuSeconds))
    return { ours: middle(ours), theirs: theirs.length === 0 ? null : middle(theirs) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
