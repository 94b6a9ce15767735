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
export function leftOutBy(vitest: Vitest): string | undefined {
  const { config } = vitest
  const { filenamePattern = [] } = filtersSchema.parse(vitest)
  const filters = {
    'names of files': filenamePattern.length > 0,
    'a name of tests': config.testNamePattern !== undefined,
    'names of projects': config.project.length > 0,
    'excluded files': (config.cliExclude ?? []).length > 0,
    'a part of them': config.shard !== undefined,
    changes: Boolean(config.changed),
    'related files': config.related !== undefined,
  }
  const used = Object.entries(filters).flatMap(([what, isUsed]) => (isUsed ? [what] : []))
  return used.length === 0 ? undefined : `Only some tests were run: chosen by ${used.join(', ')}.`
}
