// Every recorded case of the signer's two APIs, played against the built program: recordings of clef and
// decisions of this project (test/vectors/signer). Skips cases of clef alone (tag clef-only).
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, type RunnerTestSuite } from 'vitest'
import { decidedCases, withDecidedDifference } from './cases/decided-differences'
import { CasePlayer, type Op } from './cases/play'
import { type Launch, SignerProcess } from './cases/signer-process'

interface RecordedCase {
  readonly id: string
  readonly title?: string
  readonly tags?: readonly string[]
  readonly launch?: Launch
  readonly fresh?: boolean
  readonly ops: readonly Op[]
}

/** With `file/id`, where it is recorded. */
interface Case extends RecordedCase {
  readonly place: string
}

interface Group {
  readonly launch?: Launch
  readonly cases?: readonly RecordedCase[]
}

const VECTORS = resolve(__dirname, '..', 'vectors', 'signer')
const IS_BUILT = existsSync(resolve(__dirname, '..', '..', 'out', 'main', 'cli.cjs'))
/** Signers available for reuse, by their launch; slow cases have their own. */
const running = new Map<string, SignerProcess>()

/** At the first test, which knows what this run skips. */
beforeEach(({ task }) => {
  if (!IS_BUILT || begun.size > 0) return
  const chosen = chosenIn(task.file)
  const turns = new Map<string, Promise<void>>()
  for (const one of slow.filter(({ id }) => chosen.has(id))) {
    const key = keyOf(one)
    const played = (turns.get(key) ?? Promise.resolve()).then(() => play(one))
    // Its test reports the error, when its turn comes.
    turns.set(
      key,
      played.catch(() => undefined),
    )
    begun.set(one.id, played)
  }
})

afterAll(async () => {
  // A run that ends early, by a failure or a signal, leaves no program behind.
  await Promise.allSettled(begun.values())
  await Promise.all([...running.values()].map((signer) => signer.stop()))
})

/** Names of the tests that this run doesn't skip, for example because of vitest's `-t`. */
function chosenIn(suite: RunnerTestSuite): ReadonlySet<string> {
  const names = suite.tasks.flatMap((task) => {
    if (task.mode === 'skip' || task.mode === 'todo') return []
    return task.type === 'suite' ? [...chosenIn(task)] : [task.name]
  })
  return new Set(names)
}

/** Most of their time is waiting: they are played alongside the others. */
const slow: Case[] = []
const begun = new Map<string, Promise<void>>()
const names: string[] = []
const isSlow = ({ tags = [] }: Case): boolean => tags.includes('slow')
const rows = (cases: readonly Case[]) => cases.map((one) => [one.id, one] as const)
const placed = (file: string, { launch, cases = [] }: Group): Case[] =>
  cases
    .filter(({ tags = [] }) => !tags.includes('clef-only'))
    .map((one) => ({ ...one, launch: { ...launch, ...one.launch }, place: `${file.replace(/\.json$/, '')}/${one.id}` }))

for (const file of readdirSync(VECTORS)
  .filter((name) => name.endsWith('.json'))
  .sort()) {
  const cases = placed(file, JSON.parse(readFileSync(join(VECTORS, file), 'utf8')) as Group)
  if (cases.length === 0) continue
  names.push(...cases.map(({ place }) => place))
  describe.skipIf(!IS_BUILT)(`recorded calls: ${file}`, () => {
    it.each(rows(cases.filter((one) => !isSlow(one))))('%s', (_id, one) => play(one))
  })
  slow.push(...cases.filter(isSlow))
}

describe.skipIf(!IS_BUILT)('recorded calls that take long', () => {
  it.each(rows(slow))('%s', (id) => begun.get(id))
})

it('has a recording for each intended difference', () => {
  expect(decidedCases.filter((id) => !names.includes(id))).toEqual([])
})

const keyOf = (one: Case): string => `${isSlow(one) ? 'slow ' : ''}${JSON.stringify(one.launch)}`

/** It looks at the start, ends what a next case would need, or reads the audit log, where every case writes. */
function needsOwn({ launch, ops }: Case): boolean {
  const ends = ops.some(({ do: act = '' }) => ['close-ui', 'signal'].includes(act))
  return launch?.ready !== undefined || ends || ops.some(({ see, path }) => see === 'file' && path === 'audit.log')
}

/** Cases of one launch share a process until one fails; a `fresh` one wants a signer whose files no case has changed. */
async function play(one: Case): Promise<void> {
  const isOwn = needsOwn(one)
  const signer = isOwn ? await SignerProcess.start(one.launch ?? {}) : await sharedBy(one)
  const isLast = async (): Promise<boolean> => isOwn || (one.fresh === true && (await signer.hasChangedFiles()))
  try {
    await new CasePlayer(signer).play(withDecidedDifference(one.place, one.ops))
    if (await isLast()) await stop(signer)
  } catch (error) {
    await stop(signer)
    throw error
  }
}

async function sharedBy(one: Case): Promise<SignerProcess> {
  const known = running.get(keyOf(one))
  if (known !== undefined && !known.hasExited() && !(one.fresh === true && (await known.hasChangedFiles())))
    return known
  await known?.stop()
  const signer = await SignerProcess.start(one.launch ?? {})
  running.set(keyOf(one), signer)
  return signer
}

async function stop(signer: SignerProcess): Promise<void> {
  for (const [key, known] of running) if (known === signer) running.delete(key)
  await signer.stop()
}
