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
/** Signers available for reuse, by their launch. */
const running = new Map<string, Promise<SignerProcess>>()

/** At the first test, which knows what this run skips. */
beforeEach(({ task }) => {
  if (!IS_BUILT || begun.size > 0) return
  const chosen = chosenIn(task.file)
  for (const one of slow.filter(({ id }) => chosen.has(id))) {
    const played = play(one.launch ?? {}, one)
    // Its test reports the error, when its turn comes.
    played.catch(() => undefined)
    begun.set(one.id, played)
  }
})

afterAll(async () => {
  // A run that ends early, by a failure or a signal, leaves no program behind.
  await Promise.allSettled(begun.values())
  await Promise.all([...running.values()].map(async (signer) => (await signer).stop()))
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
const placed = (file: string, cases: readonly RecordedCase[]): Case[] =>
  cases.map((one) => ({ ...one, place: `${file.replace(/\.json$/, '')}/${one.id}` }))

for (const file of readdirSync(VECTORS)
  .filter((name) => name.endsWith('.json'))
  .sort()) {
  const group = JSON.parse(readFileSync(join(VECTORS, file), 'utf8')) as Group
  const cases = placed(
    file,
    (group.cases ?? []).filter(({ tags = [] }) => !tags.includes('clef-only')),
  )
  if (cases.length === 0) continue
  names.push(...cases.map(({ place }) => place))
  describe.skipIf(!IS_BUILT)(`recorded calls: ${file}`, () => {
    it.each(rows(cases.filter((one) => !isSlow(one))))('%s', (_id, one) =>
      play({ ...group.launch, ...one.launch }, one),
    )
  })
  slow.push(...cases.filter(isSlow).map((one) => ({ ...one, fresh: true, launch: { ...group.launch, ...one.launch } })))
}

describe.skipIf(!IS_BUILT)('recorded calls that take long', () => {
  it.each(rows(slow))('%s', (id) => begun.get(id))
})

it('has a recording for each intended difference', () => {
  expect(decidedCases.filter((id) => !names.includes(id))).toEqual([])
})

/** Cases of one launch share a process until one fails. */
async function play(launch: Launch, one: Case): Promise<void> {
  const key = JSON.stringify(launch)
  const isOwn = one.fresh === true || one.launch?.ready !== undefined
  const known = isOwn ? undefined : running.get(key)
  const signer = await (known !== undefined && !(await known).hasExited() ? known : SignerProcess.start(launch))
  if (!isOwn) running.set(key, Promise.resolve(signer))
  try {
    await new CasePlayer(signer).play(withDecidedDifference(one.place, one.ops))
    if (isOwn) await signer.stop()
  } catch (error) {
    running.delete(key)
    await signer.stop()
    throw error
  }
}
