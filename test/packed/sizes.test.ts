import { readFileSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { describePacked, folder, packages, run } from './packed.ts'

/**
 * Budgets of what partners import. `kB` is of a bundle, minified for Node. `files` and `loadedKB` are of a plain import, without
 * the modules of Node: import time follows them.
 */
const budgets = [
  { name: 'signPayload', entry: 'jwt-payload', kB: 50, files: 34, loadedKB: 230 },
  { name: 'renderPayloadForm', entry: 'jwt-payload', kB: 4, files: 34, loadedKB: 230 },
  { name: 'submitPayload', entry: 'jwt-payload/browser', kB: 4, files: 1, loadedKB: 7 },
  { name: 'connectWrapper', entry: 'pipe-client', kB: 85, files: 18, loadedKB: 164 },
  { name: 'buildArguments', entry: 'cli-args', kB: 30, files: 12, loadedKB: 74 },
  { name: 'buildXmlInput', entry: 'xml-input', kB: 35, files: 52, loadedKB: 375 },
] as const

/** Leaves out what is loaded later, such as the hints on a refused key. */
const withoutLater: Plugin = {
  name: 'without-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
}

/** Entries of which a program uses most. They are not bundled for a page or a small tool. */
const imports = [
  { entry: 'jwt-payload/receiver', files: 34, loadedKB: 285 },
  { entry: 'jwt-payload/testing', files: 36, loadedKB: 300 },
] as const

describePacked('what partners import stays within its budget', () => {
  test.each(budgets)('$name bundles to at most $kB kB, as its README says', async budget => {
    const { name, entry, kB } = budget
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name} } from '@service-link/${entry}'`, resolveDir: folder },
      bundle: true,
      minify: true,
      platform: 'node',
      format: 'esm',
      write: false,
      plugins: [withoutLater],
      logLevel: 'silent',
    })
    const size = (outputFiles[0]?.contents.length ?? 0) / 1000
    console.log(`${name}: ${size.toFixed(1)} kB, budget ${kB} kB`)
    expect(size).toBeLessThanOrEqual(kB)
    const [owner = ''] = entry.split('/')
    const readme = readFileSync(new URL(`../../packages/${owner}/README.md`, import.meta.url), 'utf8')
    const said = Number(new RegExp(`\`${name}\` [^\`]*?([\\d.]+) kB`).exec(readme)?.[1])
    expect(Math.abs(said - size), `The README says ${said} kB.`).toBeLessThanOrEqual(size * 0.05)
  })

  test.each([...budgets, ...imports])(
    'an import of $entry loads at most $files files, $loadedKB kB',
    async budget => {
      const { entry, files, loadedKB } = budget
      const program = `
      import { registerHooks } from 'node:module'
      const loaded = []
      registerHooks({
        load(url, context, next) {
          const result = next(url, context)
          if (url.startsWith('file:')) loaded.push(result.source.length)
          return result
        },
      })
      await import('@service-link/${entry}')
      console.log(JSON.stringify(loaded))`
      const loaded: number[] = JSON.parse(
        await run(process.execPath, ['--input-type=module', '--eval', program]),
      )
      const sum = loaded.reduce((total, bytes) => total + bytes, 0) / 1000
      console.log(`${entry}: ${loaded.length} files, ${sum.toFixed(0)} kB`)
      expect(loaded.length).toBeLessThanOrEqual(files)
      expect(sum).toBeLessThanOrEqual(loadedKB)
    },
  )
})

describePacked('errors of packed packages', () => {
  test.each(packages.flatMap(({ entries }) => entries))(
    'have the name of their class, in %s',
    async entry => {
      const program = `
      const errors = Object.entries(await import('${entry}')).filter(([name]) => /^[A-Z].*Error$/.test(name))
      const named = type => {
        try {
          return new type('x', 'x').name
        } catch {
          return Object.create(type.prototype).name
        }
      }
      console.log(JSON.stringify(errors.map(([name, type]) => [name, named(type)])))`
      const names: [string, string][] = JSON.parse(
        await run(process.execPath, ['--input-type=module', '--eval', program]),
      )
      expect(names.filter(([exported, own]) => exported !== own)).toEqual([])
    },
  )
})
