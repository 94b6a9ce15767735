import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tellOfNode } from './supported-node.ts'

const ofWrapper = '^22.18.0 || >=24.11.0'

test.each([
  [ofWrapper, '20.20.2'],
  [ofWrapper, '22.17.9'],
  [ofWrapper, '23.11.0'],
  [ofWrapper, '24.10.0'],
  ['>=20.19', '18.20.8'],
  ['>=20.19', '20.18.3'],
])('engines %s: Node %s is refused in one sentence', (engines, version) => {
  const needed = engines === ofWrapper ? '22.18 or later, or Node 24.11 or later' : '20.19 or later'
  const told = `service-pipe needs Node ${needed}; this is Node ${version}. Install one.`
  expect(tellOfNode('service-pipe', engines, version)).toBe(told)
})

test.each([
  [ofWrapper, '22.18.0'],
  [ofWrapper, '24.11.0'],
  [ofWrapper, '25.0.0'],
  [ofWrapper, '26.10.0'],
  ['>=20.19', '20.19.0'],
  ['>=20.19', '22.0.0'],
])('engines %s: Node %s is taken', (engines, version) => {
  expect(tellOfNode('service-pipe', engines, version)).toBeUndefined()
})

const packages = new URL('../../../packages/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, packages), 'utf8')
const checks = {
  'pipe-client': 'src/cli/service-pipe.ts',
  'jwt-payload': 'src/cli/service-payload.ts',
  'wrapper-host': 'src/start/supported-node.ts',
  'wrapper-pack': 'src/service-webwrapper-pack.ts',
}

test.each(Object.entries(checks))(
  '%s checks for the Node of its manifest, for which it is built',
  (name, file) => {
    const { node } = JSON.parse(read(`${name}/package.json`)).engines
    expect(read(`${name}/${file}`)).toContain(`'${node}'`)
    const [oldest] = /\d+\.\d+/.exec(node) ?? []
    const targets = globSync(`${name}/tsup.*.ts`, { cwd: packages }).flatMap(config =>
      [...read(config).matchAll(/target: 'node([\d.]+)'/g)].map(([, version]) => version),
    )
    expect(new Set(targets.length > 0 ? targets : ['20.19'])).toEqual(new Set([oldest]))
  },
)
