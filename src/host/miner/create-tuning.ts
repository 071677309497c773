// Builds GPU tuning from the options.

import type { MinerService } from '../../miner/miner-service'
import { CardFinder } from '../../miner/tuning/card-finder'
import { TuningService } from '../../miner/tuning/tuning-service'
import { openNvml } from '../../native/nvml'
import { dataDirPaths } from '../system/data-dir'
import type { TradesDeps } from '../trades-deps'

/** Cards by PCI address, through NVIDIA's library or amdgpu's files. */
export function cardFinder({ platform, logs }: Pick<TradesDeps, 'platform' | 'logs'>): CardFinder {
  return new CardFinder({
    openNvml: () => openNvml({ searchFrom: platform.projectRoot }),
    drmDir: '/sys/class/drm',
    isAdministrator: process.geteuid === undefined ? null : process.geteuid() === 0,
    log: logs.logger.child({ module: 'tuning' }),
  })
}

/** Changes nothing unless a journal, an option or a caller requires it. */
export function buildTuning(deps: TradesDeps, miner: MinerService): TuningService {
  const { config, clock, logs } = deps
  const { goal, profile, price, income, temperature } = config.tuning
  const { tuningJournal, tuningProfiles } = dataDirPaths(config.app.dataDir)
  const options = {
    journalFile: tuningJournal,
    profilesFile: tuningProfiles,
    profile,
    goal,
    tariff: price === null || income === null ? null : { power: price, income },
    coolAt: temperature,
  }
  const real = cardFinder(deps)
  return new TuningService(options, {
    miner,
    cards: { of: async (pci) => miner.own.simulatedCard(pci) ?? real.of(pci) },
    clock,
    log: logs.logger.child({ module: 'tuning' }),
  })
}
