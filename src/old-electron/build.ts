// How the program is bundled so that Electron 22 (Node 16, Chromium 108) can run it.
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Of the host side and the preload scripts. */
export const HOST_TARGET = 'node16'
/** Of the pages. */
export const PAGE_TARGET = 'chrome100'

const RUNTIME = fileURLToPath(new URL('runtime.ts', import.meta.url))

/** Puts runtime.ts before all else in every entry. */
export function oldRuntime(): Plugin {
  return {
    name: 'old-electron-runtime',
    transform(code, id) {
      if (this.getModuleInfo(id)?.isEntry !== true) return null
      return { code: `import ${JSON.stringify(RUNTIME)};${code}`, map: null }
    },
  }
}
