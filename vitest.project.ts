import { fileURLToPath } from 'node:url'

/** The sources of the packages run without a build. */
export const conditions = ['@service-link/source', 'module', 'node', 'development']

/** Packed executables, storms, other languages, real windows, random input: by `npm run test:deep`. */
export const deepTests = '**/*.deep.test.ts'

/** Long runs, one file at a time, by `npm run soak`. */
export const soakTests = '**/*.soak.test.ts'

/** Tests that a run has besides: `deep`, `soak` or `packed`. */
export const moreTests = process.env.SERVICE_TESTS

/** Options of a project that the workspace sets differently for some. */
export interface ProjectOptions {
  readonly include?: readonly string[]
  /** Besides installed packages. Default: deep and long tests. */
  readonly exclude?: readonly string[]
  /** Absolute paths of set-ups. */
  readonly globalSetup?: readonly string[]
  readonly maxWorkers?: number
  readonly sequence?: { readonly groupOrder: number }
}

/**
 * A project of tests.
 *
 * @param folder absolute path, or a file address
 */
export function project(name: string, folder: string | URL, options: ProjectOptions = {}) {
  const {
    include = ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude = [deepTests, soakTests],
    globalSetup = [],
    ...others
  } = options
  const resolve = { conditions, externalConditions: conditions }
  return {
    root: folder instanceof URL ? fileURLToPath(folder) : folder,
    ssr: { resolve },
    // A set-up is loaded in another of vite's environments.
    environments: { __vitest__: { resolve } },
    test: {
      name,
      include: [...include],
      exclude: ['**/node_modules/**', ...exclude],
      globalSetup: [...globalSetup],
      isolate: false,
      // For hanging tests, not for busy machines: each wait in a test has a shorter, specific limit.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      ...others,
    },
  }
}
