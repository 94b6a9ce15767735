import args = require('@service-link/cli-args')
import payload = require('@service-link/jwt-payload')
import pipe = require('@service-link/pipe-client')
import core = require('@service-link/protocol-core')
import xml = require('@service-link/xml-input')

export const written: string = xml.buildXmlInput({
  person: { customId: '4711', firstname: 'K', lastname: 'N', dateOfBirth: '1980-04-03' },
})
export const quoted: string = args.quoteWindowsCommandLine(['a'])
export const algorithms: readonly string[] = payload.payloadAlgorithms
export const isOurs = (error: unknown): boolean => core.isServiceLinkError(error)

export async function version(): Promise<string> {
  const wrapper: pipe.WrapperClient = await pipe.connectWrapper({ timeoutMs: 1000 })
  return wrapper.version()
}
