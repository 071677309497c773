// The mean hashrate of each device over half a minute, from the regular readings.
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../state/environment'

export const BENCHMARK_SECONDS = 30

interface Benchmark {
  /** Null when none runs. */
  readonly secondsLeft: number | null
  /** H/s by device, of the current run or the last one. */
  readonly means: ReadonlyMap<number, number>
  start(): void
}

export function useBenchmark(): Benchmark {
  const { stores, clock } = useEnvironment()
  const [startedAt, setStartedAt] = useState<number | null>(null)
  const [secondsLeft, setSecondsLeft] = useState<number | null>(null)
  const [means, setMeans] = useState<ReadonlyMap<number, number>>(new Map())
  const sums = useRef(new Map<number, { sum: number; count: number }>())
  useEffect(() => {
    if (startedAt === null) return
    return stores.miner.subscribe(({ devices }, before) => {
      if (devices === null || devices === before.devices) return
      const left = BENCHMARK_SECONDS - Math.floor((clock.now() - startedAt) / 1000)
      for (const { index, hashrate } of devices.devices) {
        const known = sums.current.get(index) ?? { sum: 0, count: 0 }
        sums.current.set(index, { sum: known.sum + (hashrate.now ?? 0), count: known.count + 1 })
      }
      setMeans(new Map([...sums.current].map(([index, { sum, count }]) => [index, sum / count])))
      setSecondsLeft(left > 0 ? left : null)
      if (left <= 0) setStartedAt(null)
    })
  }, [stores.miner, clock, startedAt])
  const start = (): void => {
    sums.current = new Map()
    setMeans(new Map())
    setSecondsLeft(BENCHMARK_SECONDS)
    setStartedAt(clock.now())
  }
  return { secondsLeft, means, start }
}
