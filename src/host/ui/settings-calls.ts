// The settings' calls: options, the token, read-only links, restart.

import { isLoopback } from '../../base/ip-address'
import type { Logger } from '../../base/logger'
import type { ResolvedConfig } from '../../config/resolved-config'
import { newSessionToken } from '../dashboard/session-token'
import { HostError } from '../errors'
import type { ConfigSettings } from '../settings/config-settings'
import type { LiveSettings } from '../settings/live-settings'
import { confirmed, isHere, type UiAccess, uiCalls } from './ui-handlers'
import type { ViewLinks } from './view-links'

export interface SettingsCallsDeps {
  readonly config: ResolvedConfig
  /** Null when options can't be changed. */
  readonly settings: ConfigSettings | null
  /** Applies live options. */
  readonly live: Pick<LiveSettings, 'take'>
  readonly links: ViewLinks
  /** Open connections by link. */
  readonly watching: () => readonly { readonly id: string; readonly count: number }[]
  /** Begins a restart once the caller has its answer. Null: not supported. @throws ConfigError when it would fail */
  readonly restart: (() => void) | null
  readonly buildHash: () => Promise<string>
  readonly randomBytes: (length: number) => Uint8Array
  readonly log: Logger
}

export function settingsCalls(deps: SettingsCallsDeps, access: UiAccess) {
  const { config, settings, links, log } = deps
  const here = isHere(access)
  const desk = (): ConfigSettings => {
    if (settings === null) throw new HostError('HOST_SERVICE_OFF', { service: 'config file' })
    return settings
  }
  const obstacle = linkObstacle(config)
  return uiCalls({
    'app.options': () => ({ file: desk().file, sections: desk().sections(here) }),
    'app.setOption': async ({ key, value }) => {
      const guarded = desk().guarded(key, value)
      if (guarded !== null) await confirmed(access, { kind: 'setting', ...guarded })
      const before = desk().textInFile(key)
      const applies = desk().set(key, value, here)
      try {
        await deps.live.take()
      } catch (error: unknown) {
        desk().set(key, before, here)
        throw error
      }
      const shown = desk().shown(key)
      log.info('setting changed', { setting: shown.name, value: shown.value, here })
      return { applies }
    },
    'app.newToken': async () => {
      const guarded = desk().guarded('api.token', '')
      if (guarded !== null) await confirmed(access, { kind: 'setting', ...guarded })
      const token = newSessionToken(deps.randomBytes).reveal()
      desk().set('api.token', token, here)
      log.info('new control port token created; it takes effect after a restart', { here })
      return { token }
    },
    'app.restart': () => {
      if (deps.restart === null)
        throw new HostError('HOST_RESTART_REFUSED', {
          reason: 'Headframe was started by a program that cannot start it again',
        })
      deps.restart()
      log.info('restart requested', { here })
    },
    'app.build': async () => ({
      build: await deps.buildHash(),
      runtime: runtimeName(process.versions),
      system: `${process.platform} ${process.arch}`,
    }),
    'app.viewLinks': () => ({
      obstacle,
      isLocalOnly: config.api.bind !== null && isLoopback(config.api.bind.host),
      links: [...links.list()],
      watching: [...deps.watching()],
    }),
    'app.viewLinkCreate': (wish) => {
      if (obstacle !== '') throw new HostError('HOST_LINK_REFUSED', { reason: OBSTACLES[obstacle] })
      return links.create(wish)
    },
    'app.viewLinkRevoke': ({ id }) => links.revoke(id),
  })
}

const OBSTACLES = {
  off: 'nothing listens: see --api-bind',
  open: 'this address can be read without a token, so a link would hide nothing: set a token first',
} as const

/** Why a link would be useless. */
function linkObstacle({ api }: ResolvedConfig): '' | keyof typeof OBSTACLES {
  if (api.bind === null) return 'off'
  return api.token === null ? 'open' : ''
}

function runtimeName(versions: NodeJS.ProcessVersions): string {
  const { electron, chrome, node } = versions
  return electron === undefined ? `Node ${node}` : `Electron ${electron}, Chromium ${chrome ?? ''}, Node ${node}`
}
