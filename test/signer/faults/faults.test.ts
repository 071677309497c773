// Kills and full disks at every step of the signer's file operations: no key is lost, nothing is half written, nothing
// untrue is reported, and nothing is signed without an audit entry.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleProgram } from '../../../tools/bench/bundle.mjs'
import { type FaultPlan, FaultyFiles, type Step } from './faulty-files'
import { type OperationName, operations } from './operations'

const NAMES = Object.keys(operations) as OperationName[]
const scratch = mkdtempSync(join(tmpdir(), 'signer-faults-'))
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

/** In this process. @returns the steps taken, and what was reported */
async function runHere(
  name: OperationName,
  root: string,
  plan: FaultPlan,
): Promise<{ steps: readonly Step[]; told: string[] }> {
  const told: string[] = []
  files?.arm(plan)
  try {
    await operations[name].run(root, (word) => void told.push(word))
  } catch {
    // A full disk is reported; `check` returns whether the rest is sound.
  }
  return { steps: files?.disarm() ?? [], told }
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
    const { steps, told } = await runHere(name, copyOf(before), { at: 0, kind: 'full', hasNoLinks })
    expect(steps.length).toBeGreaterThan(2)
    expect(told).not.toEqual([])

    for (const plan of steps.flatMap(plansFor).map((each) => ({ ...each, hasNoLinks }))) {
      const root = copyOf(before)
      const isKilled = plan.kind === 'kill' || plan.kind === 'half'
      const told = isKilled ? await runKilled(name, root, plan) : (await runHere(name, root, plan)).told
      await expectSound(name, root, told, plan)
    }
  })
})

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

async function expectSound(name: OperationName, root: string, told: readonly string[], plan: FaultPlan): Promise<void> {
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
