// The English texts: complete, and the type of all keys. ICU messages; a key names screen and thing.
import { alarmTexts } from './en-alarms'
import { approvalTexts } from './en-approval'
import { explorerTexts } from './en-explorer'
import { fleetTexts } from './en-fleet'
import { optionTexts } from './en-options'
import { screenTexts } from './en-screens'
import { signerTexts } from './en-signer'
import { simulatedTexts } from './en-simulated'
import { welcomeTexts } from './en-welcome'

export const english = {
  ...screenTexts,
  ...fleetTexts,
  ...explorerTexts,
  ...optionTexts,
  ...approvalTexts,
  ...signerTexts,
  ...simulatedTexts,
  ...welcomeTexts,
  ...alarmTexts,
} as const

export type TextKey = keyof typeof english
/** The messages of one language. One that lacks a key gives the English message. */
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>
