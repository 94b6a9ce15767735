import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs the check against a registry with this answer to each question about advisories. */
async function check(status: number, body: string): Promise<{ exitCode: number; printed: string }> {
  const registry = createServer((request, response) => {
    const isAsked = request.url === '/-/npm/v1/security/advisories/bulk'
    request.resume().on('end', () => response.writeHead(isAsked ? status : 404).end(isAsked ? body : ''))
  })
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
  try {
    const { port } = registry.address() as AddressInfo
    const env = { ...process.env, pnpm_config_registry: `http://127.0.0.1:${port}/` }
    const child = spawn(process.execPath, ['scripts/advisories.mjs'], { cwd: root, env })
    const [printed, errors, [exitCode]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    return { exitCode, printed: printed + errors }
  } finally {
    registry.closeAllConnections()
    registry.close()
  }
}

/** One advisory for all versions. */
function advisory(id: number, severity: string) {
  const url = `https://github.com/advisories/GHSA-${id}`
  return [{ id, url, title: `Title ${id}`, severity, vulnerable_versions: '<999.0.0' }]
}

test.each(['moderate', 'high', 'critical'])(
  'an advisory that is %s for a shipped or served package fails',
  async severity => {
    const { exitCode, printed } = await check(200, JSON.stringify({ 'better-auth': advisory(1, severity) }))
    expect(exitCode).toBe(1)
    expect(printed).toMatch(/better-auth \d+\.\d+\.\d+.*Title 1.*GHSA-1/)
    expect(printed).toContain(`${severity}, shipped or served`)
  },
)

test('low advisories, and those of development tools, are listed and do not fail', async () => {
  const found = { 'better-auth': advisory(1, 'low'), vitest: advisory(2, 'critical') }
  const { exitCode, printed } = await check(200, JSON.stringify(found))
  expect(exitCode).toBe(0)
  expect(printed).toContain('low, shipped or served')
  expect(printed).toContain('critical, for development only')
})

test('without any advisory it says so', async () => {
  const { exitCode, printed } = await check(200, '{}')
  expect([exitCode, printed]).toEqual([0, expect.stringContaining('No known advisories')])
})

test.each([
  ['does not know the question', 405, ''],
  ['has no such address', 404, 'no'],
  ['answers something else', 200, '<html>'],
])('a registry that %s is no pass: the check reports that it did not run', async (_name, status, body) => {
  const { exitCode, printed } = await check(status, body)
  expect(exitCode).toBe(75)
  expect(printed).toContain('NOT CHECKED')
})
