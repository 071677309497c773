// The English texts: complete, and the type of all keys. ICU messages; a key names screen and thing. What the first screen needs
// stands in en-first.ts, the rest in a file per screen; see english.ts for when they are loaded.
import { accountsTexts } from './en-accounts'
import { activityTexts } from './en-activity'
import { alarmsTexts } from './en-alarms'
import { approvalTexts } from './en-approval'
import { chartsTexts } from './en-charts'
import { firstTexts } from './en-first'
import { gpusTexts } from './en-gpus'
import { nodeTexts } from './en-node'
import { poolsTexts } from './en-pools'
import { rigsTexts } from './en-rigs'
import { rulesTexts } from './en-rules'
import { settingsTexts } from './en-settings'
import { shellTexts } from './en-shell'
import { simulatedTexts } from './en-simulated'
import { welcomeTexts } from './en-welcome'

export const allTexts = {
  ...firstTexts,
  ...shellTexts,
  ...alarmsTexts,
  ...gpusTexts,
  ...chartsTexts,
  ...simulatedTexts,
  ...poolsTexts,
  ...rigsTexts,
  ...nodeTexts,
  ...accountsTexts,
  ...rulesTexts,
  ...approvalTexts,
  ...activityTexts,
  ...settingsTexts,
  ...welcomeTexts,
} as const

export type TextKey = keyof typeof allTexts
/** The messages of one language. One that lacks a key gives the English message. */
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>
