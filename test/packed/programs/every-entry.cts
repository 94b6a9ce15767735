// Under `module: node16` a CommonJS module imports an ES module by import() alone.
type Client = import('@service-link/pipe-client', { with: { 'resolution-mode': 'import' }}).WrapperClient

export async function everyEntry(client: Client): Promise<number> {
  const { buildArguments } = await import('@service-link/cli-args')
  const { signPayload } = await import('@service-link/jwt-payload')
  const { submitPayload } = await import('@service-link/jwt-payload/browser')
  const steps = await import('@service-link/jwt-payload/steps')
  const { createReceiver } = await import('@service-link/receiver')
  const { nodeHandler } = await import('@service-link/receiver/node')
  const { createMemoryStore } = await import('@service-link/receiver/testing')
  const { startTestService } = await import('@service-link/receiver/test-service')
  const { connectWrapper } = await import('@service-link/pipe-client')
  const records = await import('@service-link/pipe-client/records')
  const running = await import('@service-link/pipe-client/running')
  const { parseDate } = await import('@service-link/protocol-core')
  const { defineBrand } = await import('@service-link/protocol-core/brand')
  const { ServiceLinkError } = await import('@service-link/protocol-core/errors')
  const { encodeFrame } = await import('@service-link/protocol-core/frame')
  const { payloadSchema } = await import('@service-link/protocol-core/person')
  const { Deadline } = await import('@service-link/protocol-core/time')
  const { createChromiumEngine } = await import('@service-link/window-engine')
  const { engineContract } = await import('@service-link/window-engine/testing')
  const { createWrapper } = await import('@service-link/wrapper-host')
  const packing = await import('@service-link/wrapper-host/packing')
  const { connectHost } = await import('@service-link/wrapper-host/page')
  const { startTestWrapper } = await import('@service-link/wrapper-host/testing')
  const { buildXmlInput } = await import('@service-link/xml-input')

  const { userId = 0 } = await client.selectPerson({
    customId: '4711',
    firstname: 'Kari',
    lastname: 'Nordmann',
  })
  const argv: readonly string[] = buildArguments({
    provider: defineBrand({ name: 'Acme' }).providers.arguments,
    queryExercises: parseDate('1980-04-03', 'nb-NO'),
  })
  const unused = [
    nodeHandler,
    startTestService,
    signPayload,
    submitPayload,
    createReceiver,
    createMemoryStore,
    connectWrapper,
    records,
    running,
    steps,
    encodeFrame,
  ]
  const host = [Deadline, payloadSchema, createChromiumEngine, engineContract, createWrapper, packing]
  const others = [connectHost, startTestWrapper, buildXmlInput, ServiceLinkError]
  return userId + argv.length + unused.length + host.length + others.length
}
