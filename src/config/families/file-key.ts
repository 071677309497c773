// A key of the node family's configuration file, and how it is handled here.

/** Kinds of values in that file. Times: nanoseconds; networks: strings, or tables of IP and Mask (bytes) as dumped. */
export type FileKind = 'text' | 'whole' | 'number' | 'switch' | 'texts' | 'networks' | 'table'

/** Values of our options, by the option's key, in our own file's form. */
export type OurValues = readonly (readonly [key: string, value: unknown])[]

/** How a key is handled. */
export type FileAnswer =
  /** `read` gives the values of our options. */
  | { readonly kind: 'done'; readonly read: (value: unknown) => OurValues }
  /** Ignored, with a notice when the value isn't one of `quiet`: the family's own defaults (or patterns for them). */
  | { readonly kind: 'accepted'; readonly because: string; readonly quiet: readonly unknown[] }
  /** An error unless the value is one of `quiet`, which request nothing. */
  | { readonly kind: 'refused'; readonly instead: string; readonly quiet: readonly unknown[] }

export interface FileKey {
  /** With its tables: `Node.P2P.MaxPeers`. */
  readonly key: string
  readonly type: FileKind
  readonly answer: FileAnswer
}

/** Names of the value kinds in errors. */
export const KIND_NAMES: Readonly<Record<FileKind, string>> = {
  text: 'a text in quotation marks',
  whole: 'a whole number',
  number: 'a number',
  switch: 'true or false',
  texts: 'a list of texts',
  networks: 'a list of networks such as "10.0.0.0/8"',
  table: 'a table',
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** A network as `10.0.0.0/8`; null when it isn't one. The address itself is validated where it is used. */
export function networkText(value: unknown): string | null {
  if (isText(value)) return value
  if (typeof value !== 'object' || value === null || !('IP' in value && 'Mask' in value)) return null
  const { IP: address, Mask: mask } = value
  if (!isText(address) || !Array.isArray(mask) || (mask.length !== 4 && mask.length !== 16)) return null
  const bits = mask.map((byte) => (typeof byte === 'number' ? byte.toString(2).padStart(8, '0') : 'none')).join('')
  const ones = /^(1*)0*$/.exec(bits)?.[1]
  return ones === undefined || bits.length !== mask.length * 8 ? null : `${address}/${ones.length}`
}

/** Whether a value of the file is of this kind. */
export function isOfKind(value: unknown, kind: FileKind): boolean {
  switch (kind) {
    case 'text':
      return isText(value)
    case 'whole':
      return Number.isSafeInteger(value)
    case 'number':
      return typeof value === 'number'
    case 'switch':
      return typeof value === 'boolean'
    case 'texts':
      return Array.isArray(value) && value.every(isText)
    case 'networks':
      return Array.isArray(value) && value.every((each) => networkText(each) !== null)
    case 'table':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
  }
}

/** Whether a value matches one of `quiet`. */
export function isQuiet(value: unknown, quiet: readonly unknown[]): boolean {
  const text = JSON.stringify(value)
  return quiet.some((each) =>
    each instanceof RegExp ? isText(value) && each.test(value) : JSON.stringify(each) === text,
  )
}
