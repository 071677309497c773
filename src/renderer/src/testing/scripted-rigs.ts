// Made-up but well-formed rigs, for tests and stories; every field can be replaced.
import type { RigFiguresView, RigGpuView, RigsView, RigView } from '../../../contract/rigs'

export function aRigGpu(change: Partial<RigGpuView> = {}): RigGpuView {
  return {
    name: 'RTX 3070',
    pci: '01:00.0',
    backend: 'cuda',
    hashrate: { now: 60e6, s60: 59e6, m15: 58e6 },
    shares: { accepted: 10, rejected: 1, failed: 0 },
    paused: false,
    pauseReason: '',
    temperature: { core: 61, hotspot: 74, memory: 0 },
    fanPercent: 64,
    powerWatts: 118,
    powerLimitWatts: 130,
    clockMhz: { core: 1410, memory: 7000 },
    ...change,
  }
}

export function someFigures(change: Partial<RigFiguresView> = {}): RigFiguresView {
  return {
    control: true,
    version: '0.3.0',
    uptimeSeconds: 3700,
    pool: { connected: true, host: 'pool.example:4444', warning: '' },
    hashrate: { now: 60e6, s60: 59e6, m15: 58e6, effective: 57e6 },
    shares: { accepted: 10, rejected: 1, failed: 0 },
    powerWatts: 118,
    gpus: [aRigGpu()],
    ...change,
  }
}

export function aRig(name: string, change: Partial<RigView> = {}): RigView {
  return {
    name,
    host: `${name}.lan:3333`,
    group: '',
    local: false,
    online: true,
    error: '',
    ageSeconds: 1,
    labels: {},
    hasToken: true,
    isFixed: false,
    reading: 1,
    usualHashrate: null,
    figures: someFigures(),
    worker: null,
    ...change,
  }
}

/** The sums are over the rigs that are online. */
export function someRigs(rigs: readonly RigView[], change: Partial<RigsView> = {}): RigsView {
  const online = rigs.flatMap((rig) => (rig.online && rig.figures !== null ? [rig.figures] : []))
  const sum = (read: (figures: RigFiguresView) => number): number =>
    online.reduce((total, figures) => total + read(figures), 0)
  return {
    mining: true,
    isEditable: true,
    notKept: '',
    rigs: [...rigs],
    totals: {
      rigs: rigs.length,
      online: online.length,
      gpus: sum(({ gpus }) => gpus.length),
      paused: sum(({ gpus }) => gpus.filter((gpu) => gpu.paused).length),
      hashrate: {
        now: sum(({ hashrate }) => hashrate.now),
        s60: sum(({ hashrate }) => hashrate.s60),
        m15: sum(({ hashrate }) => hashrate.m15),
        effective: sum(({ hashrate }) => hashrate.effective),
      },
      shares: {
        accepted: sum(({ shares }) => shares.accepted),
        rejected: sum(({ shares }) => shares.rejected),
        failed: sum(({ shares }) => shares.failed),
      },
      powerWatts: sum(({ powerWatts }) => powerWatts),
      meteredHashrate: sum(({ gpus }) =>
        gpus.reduce((total, gpu) => total + (gpu.powerWatts > 0 ? gpu.hashrate.s60 : 0), 0),
      ),
    },
    takenAt: 1_700_000_000_000,
    ...change,
  }
}
