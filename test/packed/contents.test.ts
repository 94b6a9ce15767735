import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { expect, test } from 'vitest'
import { describePacked, folder, installed, packages } from './packed.ts'

/** Bytes of each packed package at most, in kilobytes. A package that grows says here by how much. */
const budgets: Readonly<Record<string, number>> = {
  'cli-args': 28,
  conformance: 395,
  'jwt-payload': 480,
  'pipe-client': 220,
  'protocol-core': 320,
  receiver: 210,
  'window-engine': 260,
  'wrapper-host': 860,
  'wrapper-pack': 580,
  'xml-input': 34,
}

/**
 * Parts that builds share among files have a digest in their names. Launchers need compilers that a machine may lack. A change log
 * is there from the first release on.
 */
const isLeftOut = (file: string) =>
  /-[\w-]{8}\.(?:js|d\.c?ts)(?:\.map)?$|^dist\/launcher\/|^CHANGELOG\.md$/.test(file)

describePacked('a packed package', () => {
  test.each(packages)('$name holds the files that contents.txt has', async ({ name }) => {
    const files = readdirSync(installed(name), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry =>
        join(entry.parentPath, entry.name)
          .slice(installed(name).length + 1)
          .replaceAll(sep, '/'),
      )
      .filter(file => !isLeftOut(file))
    const [short = ''] = name.split('/').slice(1)
    await expect(`${files.sort().join('\n')}\n`).toMatchFileSnapshot(`contents/${short}.txt`)
  })

  test.each(packages)('$name stays within its budget, and has its license', ({ name, version }) => {
    const [short = ''] = name.split('/').slice(1)
    const [tarball = ''] = globSync(`tarballs/*-${short}-${version}.tgz`, { cwd: folder })
    const kB = statSync(join(folder, tarball)).size / 1000
    console.log(`${name}: ${kB.toFixed(1)} kB, budget ${budgets[short]} kB`)
    expect(kB).toBeLessThanOrEqual(budgets[short] ?? 0)
    expect(readFileSync(installed(`${name}/LICENSE`), 'utf8')).toContain('MIT License')
  })
})
