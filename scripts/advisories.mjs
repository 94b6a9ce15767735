// Lists the registry's advisories about all packages of the lockfile, and fails on those that matter.
// Exit code 75: the registry did not answer, so nothing was checked.
import { spawnSync } from 'node:child_process'

/** Advisories of packages that we ship or serve. Low ones do not fail the check; development tools see only our files. */
const failing = ['moderate', 'high', 'critical']

/** The registry gave no usable answer. */
const unanswered = /ERR_PNPM_AUDIT_(BAD_RESPONSE|ENDPOINT_NOT_EXISTS)/

const { stdout, stderr } = spawnSync('pnpm', ['audit', '--json'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
  // Without a network, the check ends quickly.
  env: { ...process.env, pnpm_config_fetch_retries: '1', pnpm_config_fetch_timeout: '20000' },
})
const found = readAdvisories()
if (found) process.exitCode = tell(found) ? 0 : 1
else if (unanswered.test(stderr)) {
  console.error(`NOT CHECKED: the registry does not say which advisories there are.\n${stderr.trim()}`)
  process.exitCode = 75
} else {
  console.error(`pnpm audit failed:\n${stderr}`)
  process.exitCode = 1
}

function readAdvisories() {
  try {
    return Object.values(JSON.parse(stdout).advisories)
  } catch {
    return undefined
  }
}

/** @returns whether none of them matters */
function tell(advisories) {
  if (advisories.length === 0) console.log('No known advisories.')
  let isPassed = true
  for (const { module_name: name, severity, title, url, findings } of advisories) {
    const isShipped = findings.some(({ dev }) => !dev)
    const isFailing = isShipped && failing.includes(severity)
    if (isFailing) isPassed = false
    const versions = [...new Set(findings.map(({ version }) => version))].join(', ')
    const use = isShipped ? 'shipped or served' : 'for development only'
    console.log(`${isFailing ? '✗' : '·'} ${name} ${versions} (${severity}, ${use}): ${title} ${url}`)
  }
  return isPassed
}
