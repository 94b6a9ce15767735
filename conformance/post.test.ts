import { expect, test } from 'vitest'
import { claims, runHere } from '../internal/test-kit/src/service-payload.ts'
import { keysAndReceiver } from './support/keygen-receiver.ts'

test.each([false, true])(
  'a receiver takes the registration of keygen and what post signs; secret: %s',
  async isSecret => {
    await using service = await keysAndReceiver({ isSecret })
    const key = isSecret ? ['secret.txt', '--kid', service.keyId] : ['private.pem']
    const [file = '', ...named] = key
    const signing = ['--key', service.file(file), ...named]
    const signed = await runHere(['sign', ...signing, '--audience', service.url], JSON.stringify(claims))
    const first = await runHere(['post', service.url], signed.stdout)
    expect(first).toMatchObject({ exitCode: 0, stderr: '' })
    expect(first.stdout).toMatch(new RegExp(`^${service.url}/open/\\S+\n$`))
    const second = await runHere(['post', service.url], signed.stdout)
    expect(second).toMatchObject({ exitCode: 4, stdout: '' })
    expect(second.stderr).toContain('answered 401 ERR_PAYLOAD_REPLAYED')
  },
)

test('explain finds the reason of the service’s refusal', async () => {
  await using service = await keysAndReceiver()
  const key = ['--key', service.file('private.pem')]
  const signed = await runHere(['sign', ...key, '--audience', `${service.url}/`], JSON.stringify(claims))
  const posted = await runHere(['post', service.url], signed.stdout)
  const looking = ['explain', '--key', service.file('registration.json'), '--audience', service.url]
  for (const { exitCode, stderr } of [posted, await runHere(looking, signed.stdout)]) {
    expect(exitCode).toBe(4)
    expect(stderr).toContain('ERR_PAYLOAD_AUDIENCE')
  }
})
