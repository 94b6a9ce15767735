import { isRefusalCode, refusalStatus } from '@service-link/jwt-payload'
import { tabBlocked } from '@service-link/ui/page-key'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { parseResponse } from 'hono/client'
import { useState } from 'react'
import { ask } from '../ask.ts'
import type { Launch, LauncherFacts } from '../launch.ts'
import type { Exchange } from '../partner-routes.ts'
import { fieldsOf, isForm, type LaunchRequest, requestOf, sendOf, targetOf } from '../request.ts'
import type { ServiceAnswer } from '../service-answers.ts'
import type { TypedKeys } from './keys.ts'
import { signLaunch } from './launch-state.ts'
import { t } from './texts.ts'

/** How a launch is sent: a form into a new tab or the page's frame, or a call of the journal's server. */
export type Way = 'tab' | 'frame' | 'call'

/** A direct call and its answer. */
export interface Called {
  readonly id: string
  readonly request: LaunchRequest
  readonly exchange: Exchange
}

/** A posted form, whose answer the page cannot read. */
interface Posted {
  /** Its name in the query. */
  readonly id: string
  /** Whether the demo's own service got it, which tells what it answered. */
  readonly isOurs: boolean
  readonly isFramed: boolean
}

/** What came of a posted form, as far as this page can know. */
export type PostedAnswer = ServiceAnswer | 'waits' | 'silent' | 'elsewhere'

interface Press {
  readonly launch: Launch
  readonly way: Way
}

/** Sends launches, and tells what the service answered. */
export function useSending(typed: TypedKeys, facts: LauncherFacts) {
  const client = useQueryClient()
  const [called, setCalled] = useState<readonly Called[]>([])
  const [posted, setPosted] = useState<Posted>()
  const [presses, setPresses] = useState(0)
  const forget = () => {
    setPresses(count => count + 1)
    setCalled([])
    setPosted(undefined)
  }

  /** Signs anew, so that a token never waits. Of several posts of one token the form makes the last. */
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn({ launch, way, tab }: Press & { readonly tab: Window | null }) {
      forget()
      if (way === 'tab' && !tab) throw new Error(tabBlocked())
      const fresh = await signLaunch(launch, typed, facts, true)
      client.setQueryData(['signed launch', launch, typed], fresh)
      const request = requestOf(launch, fresh.token)
      for (let count = way === 'call' ? 0 : 1; count < sendOf(launch).times; count++) {
        const exchange = await parseResponse(ask.launcher.call.$post({ json: request }))
        setCalled(before => [...before, { id: crypto.randomUUID(), request, exchange }])
      }
      if (way === 'call') return
      const id = crypto.randomUUID()
      submitForm(launch, fresh.token, tab?.document, fresh.isOurs ? { launch: id } : {})
      setPosted({ id, isOurs: fresh.isOurs, isFramed: way === 'frame' })
    },
    onError: (_error, { tab }) => tab?.close(),
  })

  const answering = useQuery({
    queryKey: ['answer', posted?.id],
    enabled: posted?.isOurs === true,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const param = { launch: posted?.id ?? '' }
      return (await parseResponse(ask.launcher.answers[':launch'].$get({ param }))).answer ?? null
    },
  })
  const postedAnswer: PostedAnswer | undefined =
    posted && (posted.isOurs ? (answering.isPending ? 'waits' : (answering.data ?? 'silent')) : 'elsewhere')

  /** Opens a tab at once: a browser opens none some seconds after the press. The tab cannot reach this page. */
  const send = ({ launch, way: wanted }: Press) => {
    const way = isForm(launch) ? wanted : 'call'
    const tab = way === 'tab' ? window.open('about:blank', '_blank') : null
    if (tab) tab.opener = null
    mutate({ launch, way, tab })
  }
  const clear = () => {
    forget()
    reset()
  }
  const isRefused = typeof postedAnswer === 'object' && isRefusalCode(postedAnswer.result)
  const isFramed = posted?.isFramed === true
  /** The frame is a new one after each press and for each refusal, which mostly cannot be shown in one. */
  const frame = {
    key: `${presses} ${isRefused}`,
    isShown: isFramed && !isRefused,
    isRefused: isFramed && isRefused,
  }
  return { send, clear, isPending, error, called, postedAnswer, frame }
}

/** Posts as a browser does, in a tab's document or into the page's frame. A form has no headers and no JSON. */
function submitForm(
  launch: Launch,
  token: string,
  tab: Document | undefined,
  query: Readonly<Record<string, string>>,
): void {
  const { method, mediaType } = sendOf(launch)
  const page = tab ?? document
  const form = page.createElement('form')
  const enctype = mediaType === 'application/json' ? 'text/plain' : mediaType
  const action = new URL(targetOf(launch))
  for (const [name, value] of Object.entries(query)) action.searchParams.set(name, value)
  Object.assign(form, { action, method, enctype, target: tab ? '_self' : 'answer' })
  // The fields of a form by GET replace the query.
  const fields = { ...fieldsOf(launch, token), ...(method === 'GET' && query) }
  for (const [name, value] of Object.entries(fields)) {
    const field = page.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  page.body.append(form)
  form.submit()
  form.remove()
}

/** A service's answer in a few words. */
export interface Outcome {
  readonly isGood: boolean | undefined
  readonly text: string
}

export function outcomeOfCall({ exchange }: Called): Outcome {
  if ('problem' in exchange) return { isGood: false, text: t('bar.notReached') }
  const { status, body } = exchange
  const isGood = status < 400
  return { isGood, text: `${status} ${readAnswer(body).code ?? (isGood ? t('bar.accepted') : '')}` }
}

export function outcomeOfPost(answer: PostedAnswer): Outcome {
  if (typeof answer === 'string')
    return { isGood: undefined, text: t(answer === 'waits' ? 'bar.waits' : 'bar.unknown') }
  const { result } = answer
  return isRefusalCode(result)
    ? { isGood: false, text: `${refusalStatus[result]} ${result}` }
    : { isGood: true, text: `200 ${t('bar.accepted')}` }
}

/** Members of a service's JSON. */
export function readAnswer(text: string): Partial<Record<'code' | 'detail' | 'url', string>> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
