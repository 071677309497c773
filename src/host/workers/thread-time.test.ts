import { expect, it } from 'vitest'
import { threadCpuMs } from './thread-time'

it("grows with the thread's work, if it is reported", () => {
  const before = threadCpuMs()
  const { user } = process.cpuUsage()
  while (process.cpuUsage().user - user < 50_000);

  const after = threadCpuMs()
  if (before === null || after === null) return expect(process.platform).not.toBe('linux')
  expect(after).toBeGreaterThan(before)
})
