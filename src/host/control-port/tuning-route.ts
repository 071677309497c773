// /api/v1/tuning: reads and changes GPU settings.
import { HeadframeError } from '../../base/errors'
import { isFailure } from '../../miner/api/http-errors'
import { parseTuning, type TuningCommand, tuningAnswer } from '../../miner/api/tuning'
import type { TuningService } from '../../miner/tuning/tuning-service'
import { type Answer, failure, json } from './answer'

/** The GPUs and their settings. */
export type TunedCards = Pick<TuningService, 'absent' | 'cards' | 'set' | 'release' | 'search'>

/** Requests that can't be fulfilled, as opposed to our own faults. */
const REFUSALS = [
  'TUNING_CARD_UNKNOWN',
  'TUNING_KNOB_ABSENT',
  'TUNING_NO_PRICES',
  'TUNING_OUT_OF_RANGE',
  'TUNING_REFUSED',
]

export async function readTuning(tuning: TunedCards): Promise<Answer> {
  return json(tuningAnswer(await tuning.cards(), tuning.absent))
}

/** Resolves when the GPU is set. @param contentType the header's value, if it was sent */
export async function runTuning(
  tuning: TunedCards,
  request: { readonly contentType: string | undefined; readonly body: Uint8Array; readonly deviceCount: number },
): Promise<Answer> {
  const command = parseTuning(request.contentType, request.body, request.deviceCount)
  if (isFailure(command)) return failure(command.status, command.error)
  try {
    await obey(tuning, command)
    return json({ result: true })
  } catch (error) {
    if (error instanceof HeadframeError && REFUSALS.includes(error.code)) return failure(400, error.message)
    throw error
  }
}

function obey(tuning: TunedCards, command: TuningCommand): Promise<void> {
  const { device } = command
  if ('settings' in command) return tuning.set(device, command.settings)
  return 'search' in command ? tuning.search(device, command.search) : tuning.release(device)
}
