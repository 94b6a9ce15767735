// The peer of the receiver: jose, used directly, behind the same adapter as ours. It checks the form field, signature,
// times, audience and issuer only.
import { getRequestListener } from '@hono/node-server'
import { importJWK, jwtVerify } from 'jose'
import { answerPage, listenAsParty } from './start-party.ts'

const { publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')
const key = await importJWK(publicJwk, 'RS256')

listenAsParty(
  getRequestListener(async request => {
    try {
      const form = new URLSearchParams(await request.text())
      await jwtVerify(form.get('payload') ?? '', key, { audience, issuer, algorithms: ['RS256'] })
      return new Response(answerPage, { headers: { 'content-type': 'text/html; charset=utf-8' } })
    } catch {
      return new Response(null, { status: 401 })
    }
  }),
)
