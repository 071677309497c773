// The differential fuzzer's own run: minutes, and never part of npm test.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['test/differential/*.fuzz.ts'], testTimeout: 3_600_000, hookTimeout: 240_000 },
})
