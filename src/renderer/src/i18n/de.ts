// The German texts: complete, which a test checks. Loaded when the language is chosen.
import { accountsTexts } from './de-accounts'
import { activityTexts } from './de-activity'
import { alarmsTexts } from './de-alarms'
import { approvalTexts } from './de-approval'
import { chartsTexts } from './de-charts'
import { gpusTexts } from './de-gpus'
import { nodeTexts } from './de-node'
import { overviewTexts } from './de-overview'
import { poolsTexts } from './de-pools'
import { rigsTexts } from './de-rigs'
import { rulesTexts } from './de-rules'
import { settingsTexts } from './de-settings'
import { shellTexts } from './de-shell'
import { simulatedTexts } from './de-simulated'
import { welcomeTexts } from './de-welcome'
import type { Catalogue } from './en'

export const german = {
  ...shellTexts,
  ...overviewTexts,
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
} satisfies Catalogue
