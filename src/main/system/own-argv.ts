// Our own words among Electron's arguments, without the executable, the application and Chromium's switches.
import { isDeepLink } from './deep-link'

/** Switches consumed by Chromium and Electron; with or without `=value`. */
const CHROMIUM_SWITCHES: ReadonlySet<string> = new Set([
  'no-sandbox',
  'disable-setuid-sandbox',
  'disable-gpu',
  'disable-gpu-sandbox',
  'disable-software-rasterizer',
  'disable-dev-shm-usage',
  'enable-logging',
  'force-color-profile',
  'force-device-scale-factor',
  'inspect',
  'inspect-brk',
  'lang',
  'log-net-log',
  'ozone-platform',
  'ozone-platform-hint',
  'remote-debugging-port',
  'use-gl',
  'user-data-dir',
])

interface OwnArgvOptions {
  readonly argv: readonly string[]
  /** Electron's `process.defaultApp`: started as `electron APP_PATH …`. */
  readonly isDefaultApp: boolean
  /** True for the argument that is the application's path. */
  readonly isAppPath: (argument: string) => boolean
}

interface OwnArgv {
  /** What a user would have typed after `headframe`. */
  readonly words: readonly string[]
  /** Links passed by the system, not parsed yet. */
  readonly links: readonly string[]
}

/** After `--`, where the menu entry puts its link, nothing is an option: a link's author must not add words. */
export function ownArgv({ argv, isDefaultApp, isAppPath }: OwnArgvOptions): OwnArgv {
  const behindExecutable = argv.slice(1)
  const appAt = isDefaultApp ? behindExecutable.findIndex((argument) => isAppPath(argument)) : -1
  const own = behindExecutable.slice(appAt + 1)
  const end = own.indexOf('--')
  const before = end < 0 ? own : own.slice(0, end)
  const behind = end < 0 ? [] : own.slice(end + 1)
  return {
    words: before.filter((argument) => !isChromiumSwitch(argument) && !isDeepLink(argument)),
    links: [...before.filter(isDeepLink), ...behind],
  }
}

function isChromiumSwitch(argument: string): boolean {
  const match = /^--([^=]+)(=.*)?$/.exec(argument)
  return CHROMIUM_SWITCHES.has(match?.[1] ?? '')
}
