// A list of descriptors in one file, as signed and distributed. The importer verifies the signature.
import { z } from 'zod'
import { DescriptorFault } from './descriptor-fault'

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

/** A parsed list. */
export interface DescriptorList {
  readonly version: number
  /** Not validated yet. */
  readonly descriptors: readonly { readonly name: string; readonly content: string }[]
}

/** @throws DescriptorFault */
export function parseDescriptorList(content: string): DescriptorList {
  const parsed = listSchema.safeParse(jsonOf(content))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new DescriptorFault(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not valid'}`)
  }
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
