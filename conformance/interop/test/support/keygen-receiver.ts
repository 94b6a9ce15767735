import { readFile } from 'node:fs/promises'
import {
  createPartnerDirectory,
  createReceiver,
  importPartner,
  partnerRegistrationSchema,
  renderBootPage,
} from '@service-link/receiver'
import { createMemorySessions, createMemoryStore } from '@service-link/receiver/testing'
import { serve } from '@service-link/test-kit/serve'
import { runHere, temporaryFolder } from '@service-link/test-kit/service-payload'
import * as z from 'zod/mini'

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
    renderPage: (outcome, { nonce }) =>
      renderBootPage(
        '<!doctype html>\n<html lang="en"><head><title>Web app</title></head><body></body></html>',
        outcome,
        { nonce },
      ),
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
