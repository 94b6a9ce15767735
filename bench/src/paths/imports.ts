import { measureCallsInTurns, median } from '../measure/calls.ts'
import { startToExit } from '../measure/processes.ts'
import type { MeasuredPath } from '../report.ts'

const own = (path: string) => new URL(`../../../packages/${path}.js`, import.meta.url).href

/** What partners import. */
const entries = {
  'jwt-payload': own('jwt-payload/dist/index'),
  'jwt-payload/receiver': own('jwt-payload/dist/receiver/index'),
  'jwt-payload/testing': own('jwt-payload/dist/testing/index'),
  'jwt-payload/browser': own('jwt-payload/dist/browser/index'),
  'pipe-client': own('pipe-client/dist/index'),
  'cli-args': own('cli-args/dist/index'),
  'xml-input': own('xml-input/dist/index'),
}

/** Longest time of an import beyond the start of Node, in milliseconds. */
const mostMs = 25

/** The start of a program that imports an entry, to its exit. */
export const importsPath: MeasuredPath = {
  name: 'imports',
  title: 'Import of each entry',
  async measure() {
    const modules = {
      ...entries,
      node: undefined,
      jose: import.meta.resolve('jose'),
      'vscode-jsonrpc': import.meta.resolve('vscode-jsonrpc/node'),
    }
    const calls = Object.entries(modules).map(([name, url]) => {
      const argv =
        url === undefined ? ['-e', '0'] : ['--input-type=module', '-e', `import ${JSON.stringify(url)}`]
      return [name, () => startToExit(argv, process.env)] as const
    })
    const samples = await measureCallsInTurns(Object.fromEntries(calls), { rounds: 25, warmUp: 2 })
    const msOf = (name: string) => median(samples[name] ?? []) / 1000
    const floor = { of: 'node -e 0', value: msOf('node') }
    return {
      rows: Object.keys(entries).map(name => {
        const peer = name.startsWith('jwt') ? 'jose' : name === 'pipe-client' ? 'vscode-jsonrpc' : undefined
        return {
          name,
          unit: 'ms',
          floor,
          ...(peer && { peer: { of: peer, value: msOf(peer) } }),
          ours: msOf(name),
          goal: { on: 'ours', atMost: Math.round(floor.value + mostMs) },
        }
      }),
    }
  },
}
