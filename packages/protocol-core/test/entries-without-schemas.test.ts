import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/** Loads entries in a new Node process, and returns for each whether the schema library was loaded by then. */
function loadsSchemas(entries: readonly string[]): boolean[] {
  const script = `
    import { registerHooks } from 'node:module'
    let isLoaded = false
    registerHooks({ load(url, context, next) { isLoaded ||= url.includes('/zod/'); return next(url, context) } })
    const loaded = []
    for (const entry of ${JSON.stringify(entries)}) {
      await import('@service-link/protocol-core' + entry)
      loaded.push(isLoaded)
    }
    console.log(JSON.stringify(loaded))
  `
  const args = ['-C', '@service-link/source', '--no-warnings', '--input-type=module', '-e', script]
  return JSON.parse(execFileSync(process.execPath, args, { cwd: packageFolder, encoding: 'utf8' }))
}

test('the entries for short processes load no schema library, and the main entry does', () => {
  const entries = ['/frame', '/brand', '/errors', '/time', '']
  expect(loadsSchemas(entries)).toEqual([false, false, false, false, true])
})
