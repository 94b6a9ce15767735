import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { notesOf } from '../scripts/release.ts'
import { root } from '../scripts/structure.ts'

test('change sets raise all packages to one version, and their words become the notes', () => {
  const clone = mkdtempSync(join(tmpdir(), 'versions-'))
  try {
    execFileSync('git', ['clone', '--quiet', root, clone])
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction')
    cpSync(join(root, '.changeset'), join(clone, '.changeset'), { recursive: true })
    const told = "---\n'@service-link/receiver': patch\n---\n\nA store may be slow.\n"
    writeFileSync(join(clone, '.changeset/one.md'), told)
    const changeset = join(root, 'node_modules/@changesets/cli/bin.js')
    execFileSync(process.execPath, [changeset, 'version'], { cwd: clone, stdio: 'pipe' })
    const manifests = globSync('packages/*/package.json', { cwd: clone })
    const versions = manifests.map(file => JSON.parse(readFileSync(join(clone, file), 'utf8')).version)
    expect(new Set(versions).size).toBe(1)
    expect(versions).not.toContain('0.0.0')
    const notes = notesOf(clone)
    expect(notes).toMatch(/^## receiver\n[^#]*^- A store may be slow\.$/m)
    expect(notes).not.toMatch(/Updated dependencies|Changes$/m)
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})
