// Options of the desktop program's shell: what closing does, start at login, notifications.

import { option, section } from '../schema'
import { quietHours } from '../values/quiet-hours'
import { flag, toggle, wordList } from '../values/value-types'

/** Kinds of events shown as desktop notifications; `none` = no notifications. */
export const NOTICE_KINDS = [
  'approval',
  'heat',
  'fault',
  'block',
  'side-block',
  'reward',
  'pool',
  'warning',
  'rig',
  'node',
  'disk',
  'report',
  'none',
] as const
/** An event kind that can be shown as a desktop notification. */
export type NoticeKind = Exclude<(typeof NOTICE_KINDS)[number], 'none'>

export const desktopSection = section({
  name: 'desktop',
  title: 'Desktop',
  commands: ['run'],
  options: {
    closeToTray: option({
      flag: 'desktop.close-to-tray',
      type: flag(),
      default: () => true,
      help: 'Keep running in the tray when the window is closed.',
      applies: 'live',
    }),
    autostart: toggle({
      flag: 'desktop.autostart',
      help: 'Start at login, in the tray.',
      applies: 'live',
    }),
    startInTray: toggle({
      flag: 'start-in-tray',
      help: 'Start in the tray without opening the window.',
      applies: 'process',
      notInFile: true,
    }),
    notify: option({
      flag: 'desktop.notify',
      type: wordList(NOTICE_KINDS),
      default: () => NOTICE_KINDS.filter((kind) => kind !== 'none'),
      defaultText: 'all',
      help: 'Notifications to show: waiting approval, GPU paused by heat, GPU failure, block found (block) or not kept in the chain (side-block), reward matured, pool lost or switched, pool warning, rig offline, node behind, disk nearly full, morning report.',
      applies: 'live',
    }),
    quietHours: option({
      flag: 'desktop.quiet-hours',
      type: quietHours(),
      help: 'Quiet hours, local time: only waiting approvals are shown.',
      applies: 'live',
    }),
  },
})
