import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))

/** Loads one entry in a new Node process and returns the files and packages it loaded. */
function modulesOf(entry: string): string[] {
  const script = `
    import { registerHooks } from 'node:module'
    const urls = []
    registerHooks({ load(url, context, next) { urls.push(url); return next(url, context) } })
    await import('@service-link/protocol-core${entry}')
    console.log(JSON.stringify(urls))
  `
  const output = execFileSync(
    process.execPath,
    ['-C', '@service-link/source', '--no-warnings', '--input-type=module', '-e', script],
    { cwd: packageFolder, encoding: 'utf8' },
  )
  return JSON.parse(output)
}

test.each(['/frame', '/brand', '/errors', '/time'])('the entry %s loads no schema library', entry => {
  const modules = modulesOf(entry)
  expect(modules.length).toBeGreaterThan(0)
  expect(modules.filter(url => url.includes('/zod/'))).toEqual([])
  expect(modules.length).toBeLessThan(30)
})

test('the main entry loads one, which proves the check', () => {
  expect(modulesOf('').some(url => url.includes('/zod/'))).toBe(true)
})
