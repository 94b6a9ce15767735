import type { Page } from 'playwright-core'
import { z } from 'zod'

const answerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('result'), value: z.unknown() }),
  z.object({ type: z.literal('failure'), code: z.string(), message: z.string() }),
])

/** What the page answered to a call. */
export type HostAnswer = z.output<typeof answerSchema>

/** Plays the wrapper's part of the bridge in a page: leaves the port that the wrapper's page script leaves. */
export async function hostPage(page: Page): Promise<{
  /** Everything that the page has said, by type. */
  said: () => Promise<string[]>
  call: (handler: string, args: object) => Promise<HostAnswer>
  /** Calls, and reads an attribute in the very moment of the answer: no time for an effect that comes later. */
  callThenRead: (handler: string, args: object, testId: string, attribute: string) => Promise<unknown>
}> {
  await page.addInitScript({
    content: `(() => {
      const said = []
      globalThis.__testHost = { said, receive: undefined }
      globalThis.__wrapperHost = {
        protocol: 1,
        send: message => said.push(message.type),
        connect: receive => { globalThis.__testHost.receive = receive; return () => {} },
      }
    })()`,
  })
  return {
    said: async () => z.array(z.string()).parse(await page.evaluate('globalThis.__testHost.said')),
    call: async (handler, args) =>
      answerSchema.parse(
        await page.evaluate(
          `globalThis.__testHost.receive(${JSON.stringify({ type: 'call', handler, args })})`,
        ),
      ),
    callThenRead: (handler, args, testId, attribute) =>
      page.evaluate(
        `globalThis.__testHost.receive(${JSON.stringify({ type: 'call', handler, args })}).then(() =>
          document.querySelector('[data-testid="${testId}"]')?.getAttribute('${attribute}'))`,
      ),
  }
}
