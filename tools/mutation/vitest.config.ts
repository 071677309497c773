// The tests of one subject, as tools/mutation/mutation.mjs names them.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: (process.env.HEADFRAME_MUTATION_TESTS ?? '').split(','),
    environment: 'node',
    testTimeout: 60_000,
  },
})
