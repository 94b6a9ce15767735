import { rm } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { leftOutBy } from './_left-out.ts'

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
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}
