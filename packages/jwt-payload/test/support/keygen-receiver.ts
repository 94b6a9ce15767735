import { readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import {
  createPartnerDirectory,
  createReceiver,
  importPartner,
  partnerRegistrationSchema,
  renderBootPage,
} from '../../src/receiver/index.ts'
import { createMemorySessions, createMemoryStore } from '../../src/receiver/testing/index.ts'
import { indexHtml } from './receiver.ts'
import { serve } from './server.ts'
import { runHere, temporaryFolder } from './service-payload.ts'

/** Keys made by `keygen`, and a receiver on a free port that has loaded their registration. */
export async function keysAndReceiver({ isSecret = false, out = '.' } = {}) {
  const folder = await temporaryFolder()
  await runHere(['keygen', '--name', 'Journal', '--out', folder.file(out), ...(isSecret ? ['--secret'] : [])])
  const registrations = z
    .array(partnerRegistrationSchema)
    .parse(JSON.parse(await readFile(folder.file(`${out}/registration.json`), 'utf8')))
  const [registration] = registrations
  const keyId = registration ? (await importPartner(registration)).keys[0]?.keyId : undefined
  let origin = ''
  let receive: (request: Request) => Promise<Response> = () => Promise.reject(new Error('Not ready.'))
  const server = await serve(request =>
    new URL(request.url).pathname === '/partner/payload'
      ? receive(request)
      : new Response('?', { status: 404 }),
  )
  origin = server.origin
  const url = `${origin}/partner/payload`
  const receiver = createReceiver({
    url,
    partners: await createPartnerDirectory(registrations),
    runTransaction: createMemoryStore({ accounts: [] }).runTransaction,
    sessions: createMemorySessions(),
    renderPage: (outcome, { nonce }) => renderBootPage(indexHtml, outcome, { nonce }),
  })
  receive = request => receiver.receive(request)
  return {
    url,
    keyId: keyId ?? '',
    path: folder.path,
    file: folder.file,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}
