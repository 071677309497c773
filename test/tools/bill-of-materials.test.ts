// What a release says of itself: everything that is built in or packed has a version and a hash; each file has its origin.
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

const { billOfMaterials, npmBill } = z
  .object({
    billOfMaterials: z.custom<(options: { electron: string | null; npm?: unknown }) => string>(),
    npmBill: z.custom<() => unknown>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/release/bill-of-materials.mjs')).href))

const { originText, headCommit } = z
  .object({
    originText: z.custom<(release: { folder: string; names: readonly string[] }) => string>(),
    headCommit: z.custom<() => string>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/release/origin.mjs')).href))

const bill = z.object({
  metadata: z.object({ component: z.object({ 'bom-ref': z.string() }) }),
  components: z.array(
    z.object({
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string().min(1),
      hashes: z
        .array(z.object({ alg: z.string(), content: z.string().regex(/^(?:[0-9a-f]{64}|[0-9a-f]{128})$/) }))
        .min(1),
    }),
  ),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
})

/** Named in styles, or by a module. */
const FONTS = ['@fontsource-variable/inter', '@fontsource-variable/noto-sans-sc', '@fontsource/jetbrains-mono']

const npm = npmBill()

it.each(['45.4.1', '22.3.25', null])('names version and hash of every part, with Electron %s', (electron) => {
  const text = billOfMaterials({ electron, npm })
  const { metadata, components, dependencies } = bill.parse(JSON.parse(text))
  const names = components.map(({ name }) => name)
  const root = dependencies.find(({ ref }) => ref === metadata.component['bom-ref'])

  expect(names).toEqual(expect.arrayContaining(['libsecp256k1', 'node', 'classic-level', ...FONTS]))
  expect(names.includes('electron')).toBe(electron !== null)
  expect([...(root?.dependsOn ?? [])].sort()).toEqual(components.map((part) => part['bom-ref']).sort())
  // Where packages came from isn't known: the lock file names a host that doesn't exist.
  expect(text).not.toContain('registry.invalid')
})

it('is the same text each time', () => {
  expect(billOfMaterials({ electron: null })).toBe(billOfMaterials({ electron: null, npm }))
})

it('names commit, lock files and the hash of every file, alike each time', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-origin-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['a.deb', 'b.rpm']) writeFileSync(join(folder, name), `content of ${name}`)
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

  const text = originText({ folder, names: ['a.deb', 'b.rpm'] })
  const sha256 = z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) })
  const { subject, predicate } = z
    .object({
      _type: z.literal('https://in-toto.io/Statement/v1'),
      subject: z.array(z.strictObject({ name: z.string(), digest: sha256 })),
      predicateType: z.literal('https://slsa.dev/provenance/v1'),
      predicate: z.object({
        buildDefinition: z.object({
          buildType: z.string(),
          externalParameters: z.object({}),
          resolvedDependencies: z.tuple(
            [z.object({ digest: z.object({ gitCommit: z.string() }) })],
            z.object({ digest: sha256 }),
          ),
        }),
        runDetails: z.object({ builder: z.object({ id: z.string() }) }),
      }),
    })
    .parse(JSON.parse(text))

  expect(subject).toEqual([
    { name: 'a.deb', digest: { sha256: hash('content of a.deb') } },
    { name: 'b.rpm', digest: { sha256: hash('content of b.rpm') } },
  ])
  expect(predicate.buildDefinition.resolvedDependencies[0].digest.gitCommit).toBe(headCommit())
  expect(predicate.buildDefinition.resolvedDependencies).toHaveLength(4)
  expect(originText({ folder, names: ['a.deb', 'b.rpm'] })).toBe(text)
})
