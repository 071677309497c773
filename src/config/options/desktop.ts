// Options of the desktop program's shell: what closing does, start at login, notifications.
import { quietHours } from '../quiet-hours'
import { option, section } from '../schema'
import { flag, wordList } from '../value-types'

/** What may be told by a message of the operating system; `none` = nothing. */
export const NOTICE_KINDS = [
  'approval',
  'heat',
  'fault',
  'block',
  'orphan',
  'reward',
  'pool',
  'warning',
  'rig',
  'node',
  'disk',
  'none',
] as const
export type NoticeKind = Exclude<(typeof NOTICE_KINDS)[number], 'none'>

/** Source: ui.md 8 */
export const desktopSection = section({
  name: 'desktop',
  title: 'Desktop',
  commands: ['run'],
  options: {
    closeToTray: option({
      flag: 'desktop.close-to-tray',
      type: flag(),
      default: () => true,
      help: 'Closing the window leaves the program running in the tray; otherwise it ends the program.',
      since: '0.3.0',
      applies: 'live',
    }),
    autostart: option({
      flag: 'desktop.autostart',
      type: flag(),
      default: () => false,
      help: 'Start with the login, in the tray.',
      since: '0.3.0',
      applies: 'live',
    }),
    startInTray: option({
      flag: 'start-in-tray',
      type: flag(),
      default: () => false,
      help: 'Start in the tray, without the window.',
      since: '0.3.0',
      applies: 'process',
      notInFile: true,
    }),
    notify: option({
      flag: 'desktop.notify',
      type: wordList(NOTICE_KINDS),
      default: () => NOTICE_KINDS.filter((kind) => kind !== 'none'),
      defaultText: 'all',
      help: 'Which notifications are shown: a waiting approval, a GPU paused by heat, a GPU that fails, a block found (block) or lost again (orphan), a reward that can be spent, a pool lost or switched, a warning about the pool, a rig that is offline, a node that is behind, a disk nearly full.',
      since: '0.3.0',
      applies: 'live',
    }),
    quietHours: option({
      flag: 'desktop.quiet-hours',
      type: quietHours(),
      default: () => null,
      help: 'Local times between which no notification is shown; a waiting approval is.',
      since: '0.3.0',
      applies: 'live',
    }),
  },
})
