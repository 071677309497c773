// One text for support: versions, services, settings, crashes, log lines; no secrets, no path of the home folder.
import { homedir, release } from 'node:os'
import { Secret } from '../../base/secret'
import { effectiveSettings } from '../../config/describe'
import type { ResolvedConfig } from '../../config/resolved-config'
import { decoded } from '../../config/values/pool-url'
import type { AppInfoView, ServiceStateView } from '../../contract/app'
import type { LogLineView, SupportBundleView } from '../../contract/logs'

interface BundleFacts {
  readonly config: ResolvedConfig
  readonly info: Pick<AppInfoView, 'version' | 'network' | 'engine' | 'startedAt'>
  readonly services: readonly ServiceStateView[]
  readonly lines: readonly LogLineView[]
  /** Crash reports, of earlier runs too; one line each. */
  readonly crashes: readonly string[]
  /** UTC ms. */
  readonly now: number
  /** Default: of this computer. */
  readonly home?: string
}

/** Shorter secrets would mask ordinary words. */
const MIN_SECRET = 6
const DEEPEST = 8

export function supportBundle(facts: BundleFacts): SupportBundleView {
  const { config, info, services, lines, crashes, now } = facts
  const { electron, node } = process.versions
  const settings = effectiveSettings(config).filter(({ value }) => value !== null)
  const sections: readonly (readonly [string, readonly string[]])[] = [
    [
      'versions',
      [
        `headframe ${info.version}, network ${info.network}`,
        `node ${node}${electron === undefined ? '' : `, electron ${electron}`}`,
        `${process.platform} ${release()} ${process.arch}`,
        `engine ${info.engine.kind} ${info.engine.simd} ${info.engine.loadError ?? ''}`.trim(),
        `started ${new Date(info.startedAt).toISOString()}`,
      ],
    ],
    ['services', services.map(({ name, state, reason }) => `${name}: ${state} ${reason}`.trim())],
    ['settings', settings.map(({ key, value, source }) => `${key} = ${value}  (${source})`)],
    ['crashes', crashes],
    [
      'log',
      lines.map(({ at, level, module, text }) => `${new Date(at).toISOString()} ${level.padEnd(5)} ${module}  ${text}`),
    ],
  ]
  const text = sections.map(([title, rows]) => `[${title}]\n${rows.join('\n')}\n`).join('\n')
  const day = new Date(now).toISOString().replace(/[:.]/g, '-')
  return { name: `headframe-support-${day}.txt`, text: clean(text, config, facts.home ?? homedir()) }
}

/** Secrets are masked where they are printed; this catches those that got into a line another way. */
function clean(text: string, config: ResolvedConfig, home: string): string {
  const hidden = secretsIn(config, DEEPEST).filter((secret) => secret.length >= MIN_SECRET)
  const masked = hidden.reduce((rest, secret) => rest.split(secret).join('***'), text)
  return home.length > 1 ? masked.split(home).join('~') : masked
}

function secretsIn(value: unknown, depth: number): string[] {
  if (value instanceof Secret) return [value.reveal(), ...passwordOf(value.reveal())]
  if (depth === 0 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((inner) => secretsIn(inner, depth - 1))
}

/** The password in an address, which is secret as a whole: as written, and decoded. */
function passwordOf(address: string): string[] {
  const written = /\/\/[^/@]*:([^/@]+)@/.exec(address)?.[1]
  return written === undefined ? [] : [written, decoded(written) ?? written]
}
