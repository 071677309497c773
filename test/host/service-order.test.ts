// What docs/house.md says about the order of start and stop, compared with the real composition root.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { makeBackend, notBuilt, ROOT, temporaryDataDir } from './backend-fixture'

const never = new AbortController().signal
const house = readFileSync(join(ROOT, 'docs/house.md'), 'utf8')
const lineSchema = z.object({ message: z.string(), fields: z.looseObject({ order: z.string().optional() }).optional() })

/** The names between `- Order:` and the end of that statement. */
function statedOrder(): string[] {
  const statement = /^- Order: ([^.]*)\./m.exec(house)?.[1] ?? ''
  return [...statement.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name ?? [])
}

/** The services that the log names with `message`, in order. */
function logged(lines: readonly string[], message: string): string[] {
  const records = lines.map((line) => lineSchema.parse(JSON.parse(line)))
  return records.find((record) => record.message === message)?.fields?.order?.split(' ') ?? []
}

describe.skipIf(notBuilt !== null)(`services${notBuilt === null ? '' : ` (skipped: ${notBuilt})`}`, () => {
  const cleanUp: (() => Promise<void> | void)[] = []
  afterEach(async () => {
    for (const step of cleanUp.splice(0).reverse()) await step()
  })

  it('start in the order that the house page states, and stop in reverse', async () => {
    const { dir, remove } = temporaryDataDir()
    cleanUp.push(remove)
    const { backend, errors } = await makeBackend(dir, ['--log.level', 'debug', '--log.json'])
    cleanUp.push(() => backend.stop())
    await backend.start(never)
    await backend.stop()

    const order = statedOrder()
    const started = logged(errors, 'all services started')
    expect(started.length).toBeGreaterThan(10)
    expect(started.filter((name) => !order.includes(name))).toEqual([])
    expect(started).toEqual(order.filter((name) => started.includes(name)))
    expect(logged(errors, 'all services stopped').reverse()).toEqual(started)
  })
})
