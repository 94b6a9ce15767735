import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const workflows = globSync('.github/workflows/*.yml', { cwd: root })

describe.each(workflows)('%s', file => {
  const text = readFileSync(`${root}${file}`, 'utf8')

  test('pins each action by its commit, and says its version', () => {
    const used = [...text.matchAll(/uses:(.*)/g)].map(([, action = '']) => action.trim())
    expect(used.length).toBeGreaterThan(0)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/)
  })

  test('gives no job a right by default, and none the right to write', () => {
    expect(text).toContain('\npermissions: {}\n')
    expect(text).not.toMatch(/: write\b|write-all|pull_request_target|secrets\./)
  })
})
