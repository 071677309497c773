// The English texts: complete, and the type of all keys. ICU messages; a key names screen and thing.
import { approvalTexts } from './en-approval'
import { screenTexts } from './en-screens'

export const english = { ...screenTexts, ...approvalTexts } as const
