import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { assertSupportedNode } from './supported-node.ts'

test('the check has the versions of the manifests', () => {
  for (const name of ['wrapper-host', 'wrapper-pack', 'window-engine']) {
    const manifest = readFileSync(new URL(`../../../${name}/package.json`, import.meta.url), 'utf8')
    expect(JSON.parse(manifest).engines).toEqual({ node: '^22.18.0 || >=24.11.0' })
  }
})

test.each(['20.20.2', '22.17.9', '23.11.0', '24.10.0'])('Node %s is refused in one sentence', version => {
  expect(() => assertSupportedNode(version)).toThrow(
    `The wrapper needs Node 22.18 or later, or Node 24.11 or later; this is Node ${version}. Install one.`,
  )
})

test.each(['22.18.0', '24.11.0', '25.0.0', '26.10.0'])('Node %s is taken', version => {
  expect(() => assertSupportedNode(version)).not.toThrow()
})

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')

test.each(['tsup.config.ts', 'tsup.executable.ts'])('%s builds for its oldest supported Node', name => {
  const oldest = /"node": "\^(\d+\.\d+)/.exec(read('package.json'))?.[1]
  expect(/target: 'node([\d.]+)'/.exec(read(name))?.[1]).toBe(oldest)
})
