// Our own words of an Electron process's arguments: without the executable, the application's path and Chromium's switches.

/** Switches that Chromium and Electron take for themselves; with or without `=value`. */
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
  'ozone-platform',
  'ozone-platform-hint',
  'remote-debugging-port',
  'use-gl',
  'user-data-dir',
])

export interface OwnArgvOptions {
  readonly argv: readonly string[]
  /** Electron's `process.defaultApp`: started as `electron APP_PATH …`. */
  readonly isDefaultApp: boolean
  /** True for the argument that is the application's path. */
  readonly isAppPath: (argument: string) => boolean
}

/** What a user would have typed behind `headframe`. */
export function ownArgv({ argv, isDefaultApp, isAppPath }: OwnArgvOptions): string[] {
  const behindExecutable = argv.slice(1)
  const appAt = isDefaultApp ? behindExecutable.findIndex((argument) => isAppPath(argument)) : -1
  return behindExecutable.slice(appAt + 1).filter((argument) => !isChromiumSwitch(argument))
}

function isChromiumSwitch(argument: string): boolean {
  const match = /^--([^=]+)(=.*)?$/.exec(argument)
  return CHROMIUM_SWITCHES.has(match?.[1] ?? '')
}
