import { readFile } from 'node:fs/promises'
import { serve } from '../../internal/test-kit/src/serve.ts'
import { runHere, temporaryFolder } from '../../internal/test-kit/src/service-payload.ts'
import {
  createPartnerDirectory,
  createReceiver,
  importPartner,
  partnerRegistrationSchema,
  renderBootPage,
} from '../../packages/receiver/src/index.ts'
import { createMemorySessions, createMemoryStore } from '../../packages/receiver/src/testing/index.ts'

/** Keys made by `keygen`, and a receiver on a free port that has loaded their registration. */
export async function keysAndReceiver({ isSecret = false, out = '.' } = {}) {
  const folder = await temporaryFolder()
  await runHere(['keygen', '--name', 'Journal', '--out', folder.file(out), ...(isSecret ? ['--secret'] : [])])
  const written: unknown[] = JSON.parse(await readFile(folder.file(`${out}/registration.json`), 'utf8'))
  const registrations = written.map(registration => partnerRegistrationSchema.parse(registration))
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
