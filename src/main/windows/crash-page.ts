// What the window shows after its own page has crashed.
import type { ShellWords } from '../shell/words/words'
import { textPageUrl } from './text-page'

/** Target of the page's link; never opened, only recognized. */
export const RELOAD_ADDRESS = 'https://headframe.invalid/reload'

interface Crash {
  /** Electron's word for it: `crashed`, `oom`, `killed`, ... */
  readonly reason: string
  readonly logsDir: string
}

/** A data: URL that contains the page. */
export function crashPageUrl({ reason, logsDir }: Crash, words: ShellWords): string {
  return textPageUrl([
    { tag: 'h1', text: words.crashTitle },
    { tag: 'p', text: words.crashText },
    { tag: 'muted', text: words.crashReason(reason) },
    { tag: 'code', label: words.crashLogs, text: logsDir },
    { tag: 'link', text: words.crashReload, href: RELOAD_ADDRESS },
  ])
}
