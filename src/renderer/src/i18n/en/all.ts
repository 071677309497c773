// The English texts: complete, and the type of all keys. ICU messages; a key names screen and item. What the first
// screen needs is in first.ts, the rest in a file per screen; see english.ts for when they are loaded.
import { accountsTexts } from './accounts'
import { activityTexts } from './activity'
import { alarmsTexts } from './alarms'
import { approvalTexts } from './approval'
import { findingsTexts } from './findings'
import { firstTexts } from './first'
import { gpusTexts } from './gpus'
import { nodeTexts } from './node'
import { poolsTexts } from './pools'
import { rigsTexts } from './rigs'
import { rulesTexts } from './rules'
import { settingsTexts } from './settings'
import { shellTexts } from './shell'
import { welcomeTexts } from './welcome'
import { whyTexts } from './why'

export const allTexts = {
  ...firstTexts,
  ...shellTexts,
  ...alarmsTexts,
  ...gpusTexts,
  ...poolsTexts,
  ...rigsTexts,
  ...nodeTexts,
  ...accountsTexts,
  ...rulesTexts,
  ...approvalTexts,
  ...findingsTexts,
  ...activityTexts,
  ...settingsTexts,
  ...welcomeTexts,
  ...whyTexts,
} as const

export type TextKey = keyof typeof allTexts
/** The messages of one language. A missing key falls back to English. */
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>
