// Imports every entry of the built packages and runs their executables, without the sources, in plain Node.
// Arguments are names of packages. Default: all.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const wanted = process.argv.slice(2)
let failed = 0

for (const { name } of readdirSync(packages, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const folder = `${packages}${name}/`
  const {
    publishConfig,
    bin = {},
    private: isPrivate,
  } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
  if (isPrivate) continue
  for (const [entry, target] of Object.entries(publishConfig.exports)) {
    if (typeof target === 'string') continue
    const url = pathToFileURL(folder + target.default).href
    run(`${name} ${entry}`, [
      '--input-type=module',
      '-e',
      `if (Object.keys(await import(${JSON.stringify(url)})).length === 0) process.exit(1)`,
    ])
  }
  for (const [command, file] of Object.entries(bin)) run(`${command} --help`, [folder + file, '--help'])
  // Checks that the modules of this command are bundled.
  if ('service-payload' in bin) {
    const out = mkdtempSync(join(tmpdir(), 'smoke-'))
    run('service-payload keygen', [folder + bin['service-payload'], 'keygen', '--name', 'x', '--out', out])
    rmSync(out, { recursive: true })
  }
}
process.exitCode = failed === 0 ? 0 : 1

function run(title, args) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  if (status === 0) return console.log(`✓ ${title}`)
  failed += 1
  console.log(`✗ ${title}\n${stderr}`)
}
