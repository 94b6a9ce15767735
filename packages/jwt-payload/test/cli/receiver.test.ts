import { writeFile } from 'node:fs/promises'
import { keyText, registeredKey, signingKey } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { audience, claims, runHere, temporaryFolder } from '@service-link/test-kit/service-payload'
import { describe, expect, test } from 'vitest'
import { signPayload } from '../../src/index.ts'
import { facts } from '../support/facts.ts'

async function keyFolder() {
  const folder = await temporaryFolder()
  await writeFile(folder.file('rsa.pem'), keyText('rsa', 'pem'))
  const key = registeredKey('p256')
  await writeFile(folder.file('p256.json'), JSON.stringify('jwk' in key ? key.jwk : key))
  return folder
}

describe('a receiver that says what it takes', () => {
  const takes =
    'alg ES256, ES512; at most 30 s from iat to exp; clocks that differ by 5 s; forms of 1000 bytes.'
  const spaces = /\s+/g

  test('is asked by explain --receiver, and its limits count', async () => {
    await using folder = await keyFolder()
    await using server = await serve(() => Response.json(facts))
    const token = await signPayload(claims, signingKey('p256'), { audience })
    const base = ['explain', '--key', folder.file('p256.json'), '--kid', 'p256', '--receiver', server.origin]
    const { exitCode, stderr } = await runHere(base, token)
    expect(exitCode).toBe(4)
    const said = stderr.replace(spaces, ' ')
    expect(said).toContain(takes)
    expect(said).toContain('✗ times')
    expect(said).toContain('(at most 30 seconds)')
    const short = await signPayload(claims, signingKey('p256'), { audience, expiresInSeconds: 30 })
    expect((await runHere(base, short)).exitCode).toBe(0)
    const wrong = await signPayload(claims, signingKey('rsa'), {
      audience: 'https://a.example',
      expiresInSeconds: 30,
    })
    expect((await runHere(base, wrong)).stderr.replace(spaces, ' ')).toMatch(
      /✗ algorithm .*this receiver does not have\. → Use one of ES256, ES512\./,
    )
    const long = await signPayload(claims, signingKey('p256'), { audience: audience + 'x'.repeat(900) })
    expect((await runHere(base, long)).stderr).toContain('ERR_PAYLOAD_TOO_LARGE')
  })

  test('without discovery it is explained as before; one that cannot be reached is exit code 3', async () => {
    await using folder = await keyFolder()
    await using server = await serve(() => new Response(null, { status: 404 }))
    const address = `${server.origin}/partner/payload`
    const token = await signPayload(claims, signingKey('rsa'), { audience: address })
    const base = ['explain', '--key', folder.file('rsa.pem'), '--kid', 'rsa', '--receiver']
    const { exitCode, stderr } = await runHere([...base, address], token)
    expect({ exitCode, isSaid: stderr.includes('the usual limits count') }).toEqual({
      exitCode: 0,
      isSaid: true,
    })
    await using broken = await serve(() => new Response(null, { status: 500 }))
    expect((await runHere([...base, broken.origin], token)).exitCode).toBe(3)
    expect((await runHere([...base.slice(0, -1)], token)).stderr).toContain('Give --receiver')
  })

  test('is shown after a post that it refuses for its limits', async () => {
    await using server = await serve(({ method }) =>
      method === 'GET' ? Response.json(facts) : new Response('<html>', { status: 404 }),
    )
    const { exitCode, stderr } = await runHere(['post', server.origin], 'a.b.c')
    expect(exitCode).toBe(4)
    expect(stderr.replace(spaces, ' ')).toContain(`aud "${facts.audiences.join('" or "')}"; ${takes}`)
  })

  test('gives no advice of a foreign one, and does not fill the terminal', async () => {
    await using folder = await keyFolder()
    const audiences = Array.from({ length: 64 }, (_, index) => `https://a.example/${index}${'x'.repeat(900)}`)
    await using server = await serve(() => Response.json({ ...facts, audiences, algorithms: ['none'] }))
    const token = await signPayload(claims, signingKey('rsa'), { audience })
    const base = ['explain', '--key', folder.file('rsa.pem'), '--kid', 'rsa', '--receiver', server.origin]
    const said = (await runHere(base, token)).stderr.replace(spaces, ' ')
    expect(said).toContain('names no algorithm of the partner link')
    expect(said).not.toContain('none.')
    expect(said.split(';')[0]).toMatch(/^The receiver takes aud ("https:\S{94}…" or ){3}61 more$/)
  })
})
