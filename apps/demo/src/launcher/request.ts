import { audienceOf, type Launch, type LauncherFacts } from './launch.ts'
import { plainSend, presets } from './presets.ts'

export const sendOf = ({ preset }: Launch) => ({ ...plainSend, ...(preset && presets[preset].send) })

/** Whether a form can send it: a form has no headers of its own. */
export const isForm = (launch: Launch) => Object.keys(sendOf(launch).headers).length === 0

export const targetOf = (launch: Launch) => launch.address + sendOf(launch).path

/** An address as the browser opens it: in ASCII, where no letter looks like another. */
const plainAddress = (text: string) => URL.parse(text)?.href ?? text

/** Where a launch sends a token beyond the demo's own service, as a person must see it: only the user knows whether it should. */
export function strangerOf(launch: Launch, { address }: Pick<LauncherFacts, 'address'>) {
  const target = targetOf(launch)
  if (URL.parse(target)?.origin === new URL(address).origin) return undefined
  const audience = audienceOf(launch)
  return { target: plainAddress(target), audience: audience && plainAddress(audience) }
}

export type Stranger = NonNullable<ReturnType<typeof strangerOf>>

/** The form's fields that carry a token. */
export function fieldsOf(launch: Launch, token: string): Readonly<Record<string, string>> {
  const { field, quote, fillerBytes } = sendOf(launch)
  return { [field]: quote + token + quote, ...(fillerBytes > 0 && { filler: 'x'.repeat(fillerBytes) }) }
}

/** The request that carries a token, as a program sends it. */
export function requestOf(launch: Launch, token: string) {
  const { method, mediaType, headers } = sendOf(launch)
  const fields = fieldsOf(launch, token)
  const form = String(new URLSearchParams(fields))
  return {
    url: targetOf(launch),
    method,
    headers: {
      accept: 'application/json',
      ...(method === 'POST' && { 'content-type': mediaType }),
      ...headers,
    },
    body: method === 'GET' ? '' : mediaType === plainSend.mediaType ? form : JSON.stringify(fields),
  }
}

/** One HTTP request of a launch. */
export type LaunchRequest = ReturnType<typeof requestOf>
