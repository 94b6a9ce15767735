// The floor of the receiver: node:http and jose, used directly. It checks the form field, signature, times, audience and
// issuer only.
import { text } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import { answerPage, listenAsParty } from './start-party.ts'

const { publicJwk, audience, issuer } = JSON.parse(process.argv[2] ?? '')
const key = await importJWK(publicJwk, 'RS256')

listenAsParty(async (request, response) => {
  try {
    const form = new URLSearchParams(await text(request))
    await jwtVerify(form.get('payload') ?? '', key, { audience, issuer, algorithms: ['RS256'] })
    response.setHeader('content-type', 'text/html; charset=utf-8').end(answerPage)
  } catch {
    response.writeHead(401).end()
  }
})
