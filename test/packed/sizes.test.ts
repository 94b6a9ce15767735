import { readFileSync } from 'node:fs'
import { build, type Plugin } from 'esbuild'
import { expect, test } from 'vitest'
import { describePacked, folder } from './packed.ts'

/** Budgets of what partners import: kilobytes of a bundle, minified for Node, without what is loaded later. */
const budgets = [
  { name: 'signPayload', entry: 'jwt-payload', kB: 50.5 },
  { name: 'renderPayloadForm', entry: 'jwt-payload', kB: 4 },
  { name: 'submitPayload', entry: 'jwt-payload/browser', kB: 5.7 },
  { name: 'connectWrapper', entry: 'pipe-client', kB: 92 },
  { name: 'buildArguments', entry: 'cli-args', kB: 30 },
  { name: 'buildXmlInput', entry: 'xml-input', kB: 35 },
] as const

/** Leaves out what an `import()` loads: the import of keys, the start of a wrapper, the classic mode. Programs that never need it never load it. */
const withoutLater: Plugin = {
  name: 'without-later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
}

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
})
