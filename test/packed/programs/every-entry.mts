import { buildArguments } from '@service-link/cli-args'
import { importSigningKey, renderPayloadForm, type SigningKey, signPayload } from '@service-link/jwt-payload'
import { submitPayload } from '@service-link/jwt-payload/browser'
import * as steps from '@service-link/jwt-payload/steps'
import { connectWrapper, PipeError, type WrapperClient } from '@service-link/pipe-client'
import * as records from '@service-link/pipe-client/records'
import * as running from '@service-link/pipe-client/running'
import { isServiceLinkError, parseDate } from '@service-link/protocol-core'
import { type Brand, defineBrand } from '@service-link/protocol-core/brand'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { encodeFrame, FrameDecoder } from '@service-link/protocol-core/frame'
import { payloadSchema } from '@service-link/protocol-core/person'
import { Deadline } from '@service-link/protocol-core/time'
import { createPartnerDirectory, createReceiver, renderBootPage } from '@service-link/receiver'
import { type NodeHandler, nodeHandler } from '@service-link/receiver/node'
import { startTestService } from '@service-link/receiver/test-service'
import { createMemorySessions, createMemoryStore, storeContract } from '@service-link/receiver/testing'
import { createChromiumEngine } from '@service-link/window-engine'
import { engineContract } from '@service-link/window-engine/testing'
import { createWrapper } from '@service-link/wrapper-host'
import * as packing from '@service-link/wrapper-host/packing'
import { connectHost } from '@service-link/wrapper-host/page'
import { createMemoryWebApp, startTestWrapper } from '@service-link/wrapper-host/testing'
import { buildXmlInput, parseXmlInput } from '@service-link/xml-input'

export const withoutCalls = [
  records,
  running,
  steps,
  packing,
  Deadline,
  payloadSchema,
  engineContract,
  connectHost,
  storeContract,
  ServiceLinkError,
  submitPayload,
  startTestService,
]

export const handlerOf: (receiver: ReturnType<typeof createReceiver>) => NodeHandler = nodeHandler

export const brand: Brand = defineBrand({ name: 'Acme', appUrl: 'https://app.acme.example/' })
const person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1980-04-03' }
export const argv: readonly string[] = buildArguments({
  provider: brand.providers.arguments,
  person,
  queryExercises: 'knee',
})
export const xml: string = buildXmlInput({ person })
export const commands: readonly string[] = parseXmlInput(new TextEncoder().encode(xml)).commands.map(
  command => command.name,
)
export const frames: readonly Uint8Array[] = new FrameDecoder({ maxFrameBytes: 1024 }).push(encodeFrame('{}'))
export const date: string = parseDate('3.4.1980', 'nb-NO')

export async function openForm(pem: string, audience: string): Promise<string> {
  const key: SigningKey = await importSigningKey({ kind: 'pkcs8', pem, kid: '2026' })
  const claims = {
    organizationId: 'clinic-12',
    employeeId: 'emp-7',
    contact: { id: '4711', firstname: 'Kari', lastname: 'Nordmann' },
  }
  return renderPayloadForm({ action: audience, payload: await signPayload(claims, key, { audience }) })
}

export async function answer(request: Request, pem: string): Promise<Response> {
  const partner = { id: 'journal', name: 'A journal', keys: [{ kind: 'spki' as const, pem, kid: '2026' }] }
  const receiver = createReceiver({
    url: 'https://sso.example/partner/payload',
    partners: await createPartnerDirectory([partner]),
    runTransaction: createMemoryStore({ accounts: [] }).runTransaction,
    sessions: createMemorySessions(),
    renderPage: (outcome, { nonce }) => renderBootPage('<!doctype html><head></head>', outcome, { nonce }),
  })
  return receiver.receive(request)
}

export async function useWrapper(signal: AbortSignal): Promise<string> {
  const wrapper = await startTestWrapper({
    webApp: createMemoryWebApp({ users: [{ id: 17, customId: '4711' }] }),
  })
  const client: WrapperClient = await connectWrapper({ userFolder: wrapper.folders.userFolder, signal })
  try {
    const { status } = await client.selectPerson(person)
    for await (const event of client.events({ events: ['closing'], signal })) return event.type
    return status
  } catch (error) {
    if (error instanceof PipeError) return error.code
    if (isServiceLinkError(error)) return error.code
    throw error
  } finally {
    await client.disconnect()
    await wrapper.close()
  }
}

export async function useEngine(): Promise<boolean> {
  const engine = createChromiumEngine({ isHeadless: true })
  const start = await createWrapper({ brand, engine }).start({ id: 'a', argv: [], workingDirectory: '/' })
  if (start.role === 'wrapper') await start.wrapper.closed
  return (await engine.probe()).isAvailable
}
