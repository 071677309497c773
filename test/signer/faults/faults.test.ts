// Kills and full disks at every step of the signer's file operations: no key is lost, nothing is half written, nothing
// untrue is reported, and nothing is signed without an audit entry. One run shows what a kill leaves at each step; some
// processes, and in npm run test:deep one for each kill, really die.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProgram } from '../../../tools/bench/bundle.mjs'
import { byDepth } from '../../depth'
import { memoryFolder } from '../../memory-folder'
import { type FaultPlan, FaultyFiles, type Step } from './faulty-files'
import { type OperationName, operations } from './operations'

const NAMES = Object.keys(operations) as OperationName[]
/** No kill of a process loses what is in memory. */
const scratch = memoryFolder('signer-faults-')
/** Within the project: the native parts are found from there. */
const program = resolve(import.meta.dirname, '../../../.cache', basename(scratch))
let files: FaultyFiles | null = null
let count = 0

beforeAll(async () => {
  await bundleProgram(resolve(import.meta.dirname, 'killed-program.ts'), program)
  const handle = await open(process.execPath)
  files = new FaultyFiles(handle)
  await handle.close()
})
afterAll(() => {
  files?.restore()
  for (const folder of [scratch, program]) rmSync(folder, { recursive: true, force: true })
})

async function prepared(name: OperationName): Promise<string> {
  const root = join(scratch, `${name}-before-${count++}`)
  mkdirSync(root)
  await operations[name].prepare(root)
  return root
}

function copyOf(before: string): string {
  const root = join(scratch, String(count++))
  cpSync(before, root, { recursive: true, preserveTimestamps: true })
  return root
}

/** What a process leaves that dies: its files, and what it reported. */
interface Left {
  readonly root: string
  readonly told: readonly string[]
}

/** In this process. @returns the steps taken, what was reported, and what would be left where `FaultyFiles.arm` says */
async function runHere(
  name: OperationName,
  root: string,
  plan: FaultPlan,
): Promise<Left & { readonly steps: readonly Step[]; readonly dead: readonly Left[] }> {
  const told: string[] = []
  const dead: Left[] = []
  files?.arm(plan, () => void dead.push({ root: copyOf(root), told: [...told] }))
  try {
    await operations[name].run(root, (word) => void told.push(word))
  } catch {
    // A full disk is reported; `check` returns whether the rest is sound.
  }
  return { root, steps: files?.disarm() ?? [], told, dead }
}

/** In a process that dies. @returns what it reported */
function runKilled(name: OperationName, root: string, plan: FaultPlan): Promise<string[]> {
  const links = plan.hasNoLinks === true ? ['no-links'] : []
  const args = [join(program, 'killed-program.mjs'), root, name, plan.kind, String(plan.at), ...links]
  return new Promise((done, fail) => {
    execFile(process.execPath, args, (error, stdout) => {
      if (error?.signal === 'SIGKILL') done(stdout.split('\n').filter((word) => word !== ''))
      else fail(new Error(`it was to die at step ${plan.at} (${plan.kind}) and did not: ${error?.message ?? stdout}`))
    })
  })
}

/** Operations that create a file that never replaces another. */
const LINKING: readonly OperationName[] = ['backUp', 'init']
const variants = [
  ...NAMES.map((name) => ({ title: name, name, hasNoLinks: false })),
  ...LINKING.map((name) => ({ title: `${name} where files have one name`, name, hasNoLinks: true })),
]

describe.each(variants)('$title', ({ name, hasNoLinks }) => {
  it('survives a full disk and a kill at each of its steps', async () => {
    const before = await prepared(name)
    const whole = await runHere(name, copyOf(before), { at: 0, kind: 'full', hasNoLinks })
    const { steps, told } = whole
    expect(steps.length).toBeGreaterThan(2)
    expect(told).not.toEqual([])

    const plans = steps.flatMap(plansFor).map((plan) => ({ ...plan, hasNoLinks }))
    for (const plan of plans) {
      const { at, kind } = plan
      if (kind === 'kill') await expectSound(name, whole.dead[at - 1], plan)
      if (kind === 'kill' || kind === 'half') continue
      const left = await runHere(name, copyOf(before), plan)
      await expectSound(name, left, plan)
      if (kind === 'once' && steps[at - 1]?.writes === true)
        await expectSound(name, left.dead[0], { ...plan, kind: 'half' })
    }
    for (const plan of reallyDying(plans)) {
      const root = copyOf(before)
      await expectSound(name, { root, told: await runKilled(name, root, plan) }, plan)
    }
  })
})

/** Of each kind of kill the middle one, or all. */
function reallyDying<P extends FaultPlan>(plans: readonly P[]): readonly P[] {
  return (['kill', 'half'] as const).flatMap((kind) => {
    const all = plans.filter((plan) => plan.kind === kind)
    const middle = Math.floor(all.length / 2)
    return byDepth(all.slice(middle, middle + 1), all)
  })
}

/** What can go wrong at a step. Whatever was reported before a flush was also reported before the next step, and has to hold there. */
function plansFor({ needsSpace, writes, isFlush }: Step, index: number, steps: readonly Step[]): readonly FaultPlan[] {
  const at = index + 1
  const kinds = [
    ...(isFlush && at < steps.length ? [] : (['kill'] as const)),
    ...(writes ? (['half'] as const) : []),
    ...(needsSpace ? (['full', 'once'] as const) : []),
  ] as const
  return kinds.map((kind) => ({ at, kind }))
}

/** A later attempt: a claim whose process was killed before it named itself counts for some seconds. */
function ageClaims(root: string): void {
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.claim')) utimesSync(join(root, file), 1, 1)
  }
}

async function expectSound(name: OperationName, left: Left | undefined, plan: FaultPlan): Promise<void> {
  if (left === undefined) throw new Error(`${name}, ${plan.kind} at step ${plan.at}: nothing was left to look at`)
  const { root, told } = left
  ageClaims(root)
  if (plan.hasNoLinks === true) files?.arm({ at: 0, kind: 'full', hasNoLinks: true })
  try {
    await operations[name].check(root, told)
  } catch (cause) {
    throw new Error(`${name}, ${plan.kind} at step ${plan.at}, told [${told}]: ${String(cause)}`, { cause })
  } finally {
    files?.disarm()
  }
  rmSync(root, { recursive: true, force: true })
}
