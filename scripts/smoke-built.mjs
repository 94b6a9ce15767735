// Imports every entry of the built packages and runs their executables, as somebody who installed them would: without the
// sources, in plain Node. Arguments are names of packages; without any, all.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
const wanted = process.argv.slice(2)
let failed = 0

for (const { name } of readdirSync(packages, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const folder = `${packages}${name}/`
  const { publishConfig, bin = {} } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8'))
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
}
process.exitCode = failed === 0 ? 0 : 1

function run(title, args) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  if (status === 0) return console.log(`✓ ${title}`)
  failed += 1
  console.log(`✗ ${title}\n${stderr}`)
}
