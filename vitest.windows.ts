import { defineConfig } from 'vitest/config'

const conditions = ['@service-link/source', 'module', 'node', 'development']

/** Tests that start Windows programs under Wine, one file after the other; `npm run windows` runs them. */
export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'windows',
    include: ['test/windows/**/*.windows.test.ts'],
    globalSetup: './test/windows/wine/use-machine.ts',
    maxWorkers: 1,
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
