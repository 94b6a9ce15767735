// Imports every entry of the built packages and runs their executables, without the sources, in plain Node.
// Where Node is older than a package needs, its programs must say so.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))
let failed = 0

for (const { name } of readdirSync(packages, { withFileTypes: true }).filter(entry => entry.isDirectory())) {
  const folder = `${packages}${name}/`
  const {
    publishConfig,
    bin = {},
    engines,
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
  for (const [command, file] of Object.entries(bin)) {
    const refusal = isTooOld(engines.node)
      ? /^.*needs Node 22\.18 .*this is Node \d.*ERR_NODE_VERSION.\n$/
      : undefined
    run(`${command} --help`, [folder + file, '--help'], refusal)
  }
  // Checks that the modules of this command are bundled.
  if ('service-payload' in bin) {
    const out = mkdtempSync(join(tmpdir(), 'smoke-'))
    run('service-payload keygen', [folder + bin['service-payload'], 'keygen', '--name', 'x', '--out', out])
    rmSync(out, { recursive: true })
  }
}
process.exitCode = failed === 0 ? 0 : 1

/** Whether this Node is older than the first version of `engines`, such as `^22.18.0`. */
function isTooOld(needed) {
  const [oldest, own] = [needed, process.versions.node].map(text =>
    /(\d+)\.(\d+)/.exec(text).slice(1).map(Number),
  )
  return own[0] < oldest[0] || (own[0] === oldest[0] && own[1] < oldest[1])
}

/** @param refusal the text on standard error with which the program must refuse */
function run(title, args, refusal) {
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 })
  if (refusal ? status !== 0 && refusal.test(stderr) : status === 0) return console.log(`✓ ${title}`)
  failed += 1
  console.log(`✗ ${title}\n${stderr}`)
}
