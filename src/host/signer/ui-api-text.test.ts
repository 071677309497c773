import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { uiApiText } from './ui-api-text'

/** Titles and members of what clef prints, with the types of their values; null = nothing is there. */
const recorded = z
  .array(z.object({ title: z.string(), shape: z.unknown() }))
  .parse(
    JSON.parse(readFileSync(join(import.meta.dirname, '../../../test/vectors/signer/ui-api-examples.json'), 'utf8')),
  )

const printed = [...uiApiText().matchAll(/^### (.*?)\n.*?```json\n(.*?)\n```/gms)].map(([, title = '', json = '']) => ({
  title,
  example: z.unknown().parse(JSON.parse(json)),
}))

/** Where both have something; either may leave a value open. */
function expectShape(value: unknown, shape: unknown, where: string): void {
  if (value === null || shape === null) return
  if (typeof shape === 'string') {
    expect(typeof value, where).toBe(shape)
    return
  }
  if (Array.isArray(shape)) {
    for (const item of z.array(z.unknown()).parse(value)) expectShape(item, shape[0], `${where}[]`)
    return
  }
  const wanted = z.record(z.string(), z.unknown()).parse(shape)
  const given = z.record(z.string(), z.unknown()).parse(value)
  expect(Object.keys(given), where).toEqual(Object.keys(wanted))
  for (const [name, inner] of Object.entries(wanted)) expectShape(given[name], inner, `${where}.${name}`)
}

it('has the objects of clef, in its order, under its names', () => {
  expect(printed.map(({ title }) => title)).toEqual(recorded.map(({ title }) => title))
})

it.each(recorded.map(({ title, shape }) => [title, shape] as const))('has the members of %s', (title, shape) => {
  expectShape(printed.find((each) => each.title === title)?.example, shape, title)
})
