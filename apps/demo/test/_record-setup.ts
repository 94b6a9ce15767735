import { rm } from 'node:fs/promises'

/** Removes what the tests of a run have left, after all of them. */
export default function setup(): () => Promise<void> {
  return async () => {
    const folder = process.env.SERVICE_TEST_RECORD
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }
}
