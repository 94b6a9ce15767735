import { rm } from 'node:fs/promises'
import type { TestProject, Vitest } from 'vitest/node'
import { z } from 'zod'

declare module 'vitest' {
  interface ProvidedContext {
    /** Why not all tests were run; `undefined`: all were. */
    leftOut: string | undefined
  }
}

/** Removes what the tests of a run have left, after all of them. */
export default function setup(project: TestProject): () => Promise<void> {
  project.provide('leftOut', leftOutBy(project.vitest))
  return async () => {
    const folder = process.env.SERVICE_TEST_RECORD
    // Browsers of workers that have just ended still write.
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 50 })
  }
}

/** Patterns of file names on the command line: the library has them, but not in its types. */
const filtersSchema = z.object({ filenamePattern: z.array(z.string()).optional() })

/** Says what keeps a run from being one of all tests; `undefined` when nothing does. */
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
