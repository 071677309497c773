// A list of descriptors in one file, as signed and distributed. The importer verifies the signature.

import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { isJsonObject } from '../../base/json-text'

/** Why a text isn't a supported descriptor. */
export class DescriptorFault extends Error {}

/** Its name in the folder of descriptors. */
export const DESCRIPTOR_LIST = 'signed-list.json'
export const MAX_LIST_BYTES = 8 * 1024 * 1024
const MAX_DESCRIPTORS = 1_000

const listSchema = z.object({
  /** Increases with each list. */
  version: z.number().int().positive(),
  /** By name; each as in a file of its own. */
  descriptors: z
    .record(z.string().min(1).max(100), z.record(z.string(), z.unknown()))
    .refine((all) => Object.keys(all).length <= MAX_DESCRIPTORS, `more than ${MAX_DESCRIPTORS} descriptors`),
})

export interface DescriptorList {
  readonly version: number
  readonly descriptors: readonly { readonly name: string; readonly content: string }[]
}

/** @throws DescriptorFault */
export function parseDescriptorList(content: string): DescriptorList {
  const parsed = listSchema.safeParse(jsonOf(content))
  if (!parsed.success) throw new DescriptorFault(messageOf(parsed.error))
  const { version, descriptors } = parsed.data
  const entries = Object.entries(descriptors)
  return { version, descriptors: entries.map(([name, one]) => ({ name, content: JSON.stringify(one) })) }
}

/** @throws DescriptorFault */
export function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new DescriptorFault('not JSON')
  }
}

/** Files that a descriptor includes, and what those include. */
const DEEPEST_INCLUDES = 4

/**
 * A descriptor with what it includes: the including file's values count, and fields with the same path are one field.
 * @param content JSON text @param find a file's content by its name; null = there is none
 * @returns JSON text without includes
 * @throws DescriptorFault
 */
export function withIncludes(content: string, find: (name: string) => string | null): string {
  const own = jsonOf(content)
  return isJsonObject(own) && own.includes !== undefined ? JSON.stringify(included(own, find, 0)) : content
}

function included(
  { includes, ...own }: Readonly<Record<string, unknown>>,
  find: (name: string) => string | null,
  depth: number,
): unknown {
  if (includes === undefined) return own
  // Only beside the file itself: a path could lead anywhere.
  const name = typeof includes === 'string' ? includes.replace(/^\.\//, '') : ''
  const content = /^[\w.-]+$/.test(name) ? find(name) : null
  if (content === null)
    throw new DescriptorFault(`includes ${JSON.stringify(includes).slice(0, 100)}: not in this folder`)
  if (depth === DEEPEST_INCLUDES) throw new DescriptorFault('includes go too deep, or in a circle')
  const other = jsonOf(content)
  if (!isJsonObject(other)) throw new DescriptorFault(`includes ${name}: not an object`)
  return merged(included(other, find, depth + 1), own)
}

/** @param over wins */
function merged(under: unknown, over: unknown): unknown {
  if (Array.isArray(under) && Array.isArray(over)) return mergedFields(under, over)
  if (!isJsonObject(under) || !isJsonObject(over)) return over
  const out: Record<string, unknown> = Object.assign(Object.create(null), under)
  for (const [key, value] of Object.entries(over))
    out[key] = Object.hasOwn(under, key) ? merged(under[key], value) : value
  return out
}

/** Lists of fields are joined by path; any other list is replaced. */
function mergedFields(under: readonly unknown[], over: readonly unknown[]): readonly unknown[] {
  const pathOf = (item: unknown): unknown => (isJsonObject(item) ? item.path : undefined)
  if (![...under, ...over].every((item) => typeof pathOf(item) === 'string')) return over
  const kept = under.map((item) => {
    const same = over.find((other) => pathOf(other) === pathOf(item))
    return same === undefined ? item : merged(item, same)
  })
  return [...kept, ...over.filter((item) => !under.some((other) => pathOf(other) === pathOf(item)))]
}
