// Removes from a hiding link's answers: addresses, who mines at the pool, and rig names.
import type { ForeignSummary, OtherRig, Rigs } from '../../miner/api/rigs'
import type { Summary } from '../../miner/api/summary'

/** Replaces a hidden address. */
const NO_ADDRESS = `0x${'0'.repeat(40)}`
const ADDRESS = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g
/** A 32-byte address, as in topics and call data. */
const WIDE_ADDRESS = /0x0{24}[0-9a-fA-F]{40}(?![0-9a-fA-F])/g

/** Every string of a JSON value without addresses; including keys. */
export function withoutAddresses<T>(value: T): T
export function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(WIDE_ADDRESS, `0x${'0'.repeat(64)}`).replace(ADDRESS, NO_ADDRESS)
  if (Array.isArray(value)) return value.map((each) => withoutAddresses(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutAddresses(name), withoutAddresses(each)]),
  )
}

/** `stratum+tls://user.worker:pass@host:1/path?x` becomes `stratum+tls://host:1`; empty for any other text. */
export function withoutUser(url: string): string {
  const [, scheme, rest] = /^([a-z0-9+.-]{1,30}:\/\/)([^/?#]*)/i.exec(url) ?? []
  if (scheme === undefined || rest === undefined) return ''
  return `${scheme}${rest.slice(rest.lastIndexOf('@') + 1)}`
}

/** A rig has the same number in every answer, as long as the list is unchanged. */
export function rigNumber(index: number): string {
  return `rig ${index + 1}`
}

interface NamedSource {
  readonly url: string
  readonly warning: string
  readonly diagnosis: { readonly answer: string } | null
}

/** Also without the pool's own words, which name the miner it rejected. */
export function hiddenSource<S extends NamedSource>(source: S): S {
  const { diagnosis, warning } = source
  const answer = diagnosis?.answer ?? ''
  return {
    ...source,
    url: withoutUser(source.url),
    warning: answer === '' ? warning : warning.split(answer).join(''),
    diagnosis: diagnosis === null ? null : { ...diagnosis, answer: '' },
  }
}

export function hiddenSummary(summary: Summary): Summary {
  return withoutAddresses({ ...summary, pool: hiddenSource(summary.pool) })
}

/** Other rigs' texts are untrusted: only figures of their summaries are kept. @param offset of the first of them */
export function hiddenRigs({ rigs, ...rest }: Rigs, offset: number): Rigs {
  return {
    ...rest,
    rigs: rigs.map((rig, index) => {
      const name = rigNumber(offset + index)
      if ('local' in rig) return { ...rig, name, summary: hiddenSummary(rig.summary) }
      return hiddenRig(rig, name)
    }),
  }
}

function hiddenRig({ online, error, age, summary }: OtherRig, name: string): OtherRig {
  const kept = { name, host: '', online, error: error === '' ? '' : 'not reached', age }
  return summary === undefined ? kept : { ...kept, summary: figuresOf(summary) }
}

const SHOWN_TEXTS: readonly string[] = ['algorithm', 'backend', 'version', 'pause_reason']

function figuresOf(summary: ForeignSummary): ForeignSummary {
  return onlyTexts(summary, SHOWN_TEXTS)
}

/** Keeps numbers and booleans at any depth, of texts those under these names: new fields are hidden by default. */
export function onlyTexts<T>(value: T, names: readonly string[], name?: string): T
export function onlyTexts(value: unknown, names: readonly string[], name = ''): unknown {
  if (typeof value === 'string') return names.includes(name) ? withoutAddresses(value) : ''
  if (Array.isArray(value)) return value.map((each) => onlyTexts(each, names, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, onlyTexts(each, names, key)]))
}
