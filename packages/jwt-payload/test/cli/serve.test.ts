import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { isInstalled } from '@service-link/test-kit/is-installed'
import { claims, finish, runHere, startCli, temporaryFolder } from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import { importSigningKey } from '../../src/keys/signing-key.ts'
import { postPayload } from '../../src/post/post-payload.ts'
import { signPayload } from '../../src/sign/sign-payload.ts'

const sources = ['--disable-warning=ExperimentalWarning', '-C', '@service-link/source']
const program = fileURLToPath(new URL('../../src/cli/service-payload.ts', import.meta.url))

const guide = readFileSync(new URL('../../../../docs/guides/test-with-a-service.md', import.meta.url), 'utf8')

test('serves until its input ends; its key, and one of a registration, are registered', async () => {
  await using folder = await temporaryFolder()
  await runHere(['keygen', '--name', 'Journal', '--out', folder.path, '--issuer', 'https://journal.example'])
  const child = startCli(['serve', '--registration', folder.file('registration.json')])
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const { address, origin, issuer, kid, privateKey, pid } = JSON.parse(line)
  expect({ pid, address, issuer }).toEqual({
    pid: child.pid,
    address: `${origin}/partner/payload`,
    issuer: 'https://journal.example',
  })
  for (const source of [
    { kind: 'pkcs8' as const, pem: privateKey, kid },
    { kind: 'pkcs8' as const, pem: readFileSync(folder.file('private.pem'), 'utf8') },
  ])
    await postPayload(
      address,
      await signPayload(claims, await importSigningKey(source), { audience: address }),
    )
  const answer = await fetch(`${origin}/deliveries`)
  expect(await answer.json()).toMatchObject([{ payload: claims }, { payload: claims }])
  const ended = finish(child)
  child.stdin.end()
  expect((await ended).exitCode).toBe(0)
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends it', async signal => {
  const child = startCli(['serve'])
  const ended = finish(child)
  await once(child.stdout, 'data')
  child.kill(signal)
  expect((await ended).exitCode).toBe(0)
})

test('says what to install where the receiver is not', async () => {
  await using folder = await temporaryFolder()
  await writeFile(
    folder.file('hooks.mjs'),
    `import { registerHooks } from 'node:module'
registerHooks({ resolve(name, context, next) {
  return next(name.startsWith('@service-link/receiver') ? 'not-installed' : name, context)
} })`,
  )
  const child = startCli(['serve'], { NODE_OPTIONS: `--import ${folder.file('hooks.mjs')}` })
  const { exitCode, stderr } = await finish(child)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('npm install --save-dev @service-link/receiver [ERR_USAGE]')
})

test('refuses a file that is no registration', async () => {
  await using folder = await temporaryFolder()
  await runHere(['keygen', '--name', 'Journal', '--out', folder.path])
  const { exitCode, stderr } = await runHere(['serve', '--registration', folder.file('certificate.pem')])
  expect(exitCode).toBe(2)
  expect(stderr).toContain('is no registration')
})

describe.each([
  ['sh', 'sh', 'curl'],
  ['python', 'python3', 'python3'],
])('the guide’s example in %s', (language, command, needed) => {
  test.skipIf(!isInstalled(needed) && process.env.CI !== 'true')('runs as it stands', async () => {
    await using folder = await temporaryFolder()
    // The package is installed from its sources.
    await writeFile(
      folder.file('npx'),
      `#!/bin/sh\nshift\nexec ${process.execPath} ${sources.join(' ')} ${program} "$@"\n`,
      { mode: 0o755 },
    )
    const [, block = ''] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide) ?? []
    await writeFile(folder.file('example'), block.replaceAll('8099', String(await freePort())))
    const env = { ...process.env, PATH: `${folder.path}:${process.env.PATH}` }
    const args = language === 'sh' ? ['-e', 'example'] : ['example']
    const { exitCode, stdout, stderr } = await finish(spawn(command, args, { cwd: folder.path, env }))
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    if (language === 'sh') expect(JSON.parse(stdout)).toMatchObject([{ payload: { employeeId: 'emp-7' } }])
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = Object(server.address())
  server.close()
  return port
}
