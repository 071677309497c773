// GET /api/v1/epochs: when the next epoch begins, what it costs each device, and how long its memory will suffice.
import type { EpochPlan } from '../farm/device-inventory'

/** Times are UTC seconds, as in tokens and alerts; null where unknown. */
export function epochsAnswer({ epoch, blockSeconds, next, devices }: EpochPlan) {
  return {
    epoch,
    block_seconds: Math.round(blockSeconds),
    next: next === null ? null : { epoch: next.epoch, blocks: next.blocks, at: seconds(next.at) },
    gpus: devices.map(({ index, name, lastEpoch, memoryFullAt, changeSeconds }) => ({
      index,
      name,
      last_epoch: lastEpoch,
      memory_full_at: memoryFullAt === null ? null : seconds(memoryFullAt),
      change_seconds: changeSeconds === null ? null : Math.round(changeSeconds),
    })),
  }
}

const seconds = (ms: number): number => Math.round(ms / 1_000)
