import type { Vitest } from 'vitest/node'
import { z } from 'zod'

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
