import { measureCallsInTurns, median } from '../measure/calls.ts'
import { startToExit } from '../measure/processes.ts'
import type { MeasuredPath } from '../report.ts'

const own = (path: string) => new URL(`../../../packages/${path}.js`, import.meta.url).href

/** What partners import. */
const entries = {
  'jwt-payload': own('jwt-payload/dist/index'),
  receiver: own('receiver/dist/index'),
  'receiver/test-service': own('receiver/dist/test-service/index'),
  'jwt-payload/browser': own('jwt-payload/dist/browser/index'),
  'pipe-client': own('pipe-client/dist/index'),
  'cli-args': own('cli-args/dist/index'),
  'xml-input': own('xml-input/dist/index'),
}

/** Longest time of an import beyond the peer's, in milliseconds. */
const mostMs = 15

/** The start of a program that imports an entry, to its exit. */
export const importsPath: MeasuredPath = {
  name: 'imports',
  title: 'Import of each entry',
  async measure() {
    const modules = {
      ...entries,
      jose: import.meta.resolve('jose'),
      'vscode-jsonrpc': import.meta.resolve('vscode-jsonrpc/node'),
    }
    const calls = Object.entries(modules).map(([name, url]) => {
      const argv = ['--input-type=module', '-e', `import ${JSON.stringify(url)}`]
      return [name, () => startToExit(argv, process.env)] as const
    })
    const samples = await measureCallsInTurns(Object.fromEntries(calls), { rounds: 25, warmUp: 2 })
    const msOf = (name: string) => median(samples[name] ?? []) / 1000
    return {
      rows: Object.keys(entries).map(name => {
        const of = /^(jwt|receiver)/.test(name) ? 'jose' : 'vscode-jsonrpc'
        const value = msOf(of)
        const goal = { on: 'ours', atMost: value + mostMs } as const
        return { name, unit: 'ms', beside: { of, value }, ours: msOf(name), goal }
      }),
    }
  },
}
