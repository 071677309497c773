// The German texts: complete, which a test checks. Loaded when the language is chosen.
import { alarmTexts } from './de-alarms'
import { approvalTexts } from './de-approval'
import { explorerTexts } from './de-explorer'
import { fleetTexts } from './de-fleet'
import { optionTexts } from './de-options'
import { screenTexts } from './de-screens'
import { signerTexts } from './de-signer'
import { simulatedTexts } from './de-simulated'
import { welcomeTexts } from './de-welcome'
import type { Catalogue } from './en'

export const german = {
  ...alarmTexts,
  ...screenTexts,
  ...fleetTexts,
  ...explorerTexts,
  ...optionTexts,
  ...approvalTexts,
  ...signerTexts,
  ...simulatedTexts,
  ...welcomeTexts,
} satisfies Catalogue
