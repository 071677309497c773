// The bill of materials of a release: everything that is built in or packed has a version and a hash, and belongs to the program.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { z } from 'zod'

const { billOfMaterials } = z
  .object({ billOfMaterials: z.custom<(options: { electron: string | null }) => string>() })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/release/bill-of-materials.mjs')).href))

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

it.each(['45.4.1', '22.3.25', null])('names version and hash of every part, with Electron %s', (electron) => {
  const text = billOfMaterials({ electron })
  const { metadata, components, dependencies } = bill.parse(JSON.parse(text))
  const names = components.map(({ name }) => name)
  const root = dependencies.find(({ ref }) => ref === metadata.component['bom-ref'])

  expect(names).toEqual(expect.arrayContaining(['libsecp256k1', 'node', 'classic-level']))
  expect(names.includes('electron')).toBe(electron !== null)
  expect([...(root?.dependsOn ?? [])].sort()).toEqual(components.map((part) => part['bom-ref']).sort())
  // Where packages came from isn't known: the lock file names a host that doesn't exist.
  expect(text).not.toContain('registry.invalid')
  expect(billOfMaterials({ electron })).toBe(text)
})
