// The Chinese texts: complete, which a test checks. Loaded when the language is chosen.
import type { Catalogue } from '../en/all'
import { accountsTexts } from './accounts'
import { activityTexts } from './activity'
import { alarmsTexts } from './alarms'
import { approvalTexts } from './approval'
import { findingsTexts } from './findings'
import { gpusTexts } from './gpus'
import { nodeTexts } from './node'
import { overviewTexts } from './overview'
import { poolsTexts } from './pools'
import { rigsTexts } from './rigs'
import { rulesTexts } from './rules'
import { settingsTexts } from './settings'
import { shellTexts } from './shell'
import { welcomeTexts } from './welcome'
import { whyTexts } from './why'

export const chinese = {
  ...shellTexts,
  ...overviewTexts,
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
} satisfies Catalogue
