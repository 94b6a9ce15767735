import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { packageFolder } from './package-folder.ts'
import { suites } from './suites.ts'

const conditions = ['@service-link/source', 'module', 'node', 'development']

/** Resolves the packages of this repository, which are not installed here. */
const ownPackages = {
  name: 'own-packages',
  enforce: 'pre' as const,
  async resolveId(
    this: { resolve(id: string, importer: string): Promise<{ id: string } | null> },
    id: string,
  ) {
    const folder = packageFolder(id)
    if (folder) return (await this.resolve(id, fileURLToPath(new URL('package.json', folder))))?.id
  },
}

/** The suites of the packages, in Node for Windows. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: suites.map(({ name, include }) => ({
      root: fileURLToPath(new URL(`../../../packages/${name}/`, import.meta.url)),
      plugins: [ownPackages],
      ssr: { resolve: { conditions, externalConditions: conditions } },
      test: {
        name,
        include: [...include],
        isolate: false,
        testTimeout: 120_000,
        hookTimeout: 120_000,
      },
    })),
  },
})
