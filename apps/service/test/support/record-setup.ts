import { rm } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import * as z from 'zod'

declare module 'vitest' {
  interface ProvidedContext {
    /** Why some tests did not run; `undefined` when all ran. */
    leftOut: string | undefined
  }
}

/** Removes the records of a run after all tests. */
export default function setup(project: TestProject): () => Promise<void> {
  project.provide('leftOut', leftOutBy(project.vitest))
  return async () => {
    const folder = process.env.SERVICE_TEST_RECORD
    // Browsers of ended workers may still write.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 50 })
  }
}

/** File name patterns of the command line; the library has them, but not in its types. */
const filtersSchema = z.object({ filenamePattern: z.array(z.string()).optional() })

/** The reason why a run does not include all tests; `undefined` when it does. */
function leftOutBy(vitest: Vitest): string | undefined {
  const { testNamePattern, project, cliExclude = [], shard, changed, related } = vitest.config
  const { filenamePattern = [] } = filtersSchema.parse(vitest)
  const chosen = [filenamePattern, project, cliExclude].some(({ length }) => length > 0)
  const isWhole = !chosen && !testNamePattern && !shard && !changed && !related
  return isWhole ? undefined : 'Only some tests were run.'
}
