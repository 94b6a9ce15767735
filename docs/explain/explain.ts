// The page that explains a refusal in the browser. It is built by scripts/explain-page.ts.
import { type ExplainedCheck, explainPayload, importVerificationKey } from '@service-link/jwt-payload'
import {
  addressAdvice,
  addressProblem,
  checkMarks,
  explainedTerms,
  isDoubtful,
  readKeyForm,
  readRegisteredKeys,
  signingTimeOf,
  stateOf,
  verdictOf,
} from '@service-link/jwt-payload/steps'
import { isServiceLinkError } from '@service-link/protocol-core/errors'

const find = <Field extends HTMLElement>(id: string) => document.getElementById(id) as Field
const token = find<HTMLTextAreaElement>('token')
const key = find<HTMLTextAreaElement>('key')
const audience = find<HTMLInputElement>('audience')
const asOf = find<HTMLInputElement>('as-of')
const result = find('result')

/** Explains what the fields hold; a sentence where they hold too little. */
async function explain(): Promise<readonly ExplainedCheck[] | string> {
  if (token.value.trim() === '') return ''
  if (key.value.trim() === '') return 'Give what is registered.'
  const address = audience.value.trim()
  const problem = addressProblem(address)
  if (problem) return `The address of the post ${address === '' ? 'is missing' : problem}. ${addressAdvice}`
  const form = readKeyForm(key.value.trim())
  const found = form ? readRegisteredKeys(form) : { problem: 'begins like JSON, but is not JSON.' }
  if (found.problem !== undefined) return `What is registered ${found.problem}`
  const { sources, terms } = found
  if (sources.some(({ kind }) => kind === 'jwks'))
    return 'This page fetches nothing, and so no key set. Give the key itself.'
  const keys = await Promise.all(sources.map(source => importVerificationKey(source, { validity: 'use' })))
  const policy = terms?.policy ?? 'strict'
  const moment = asOf.checked ? signingTimeOf(token.value.trim(), policy) : undefined
  const options = { ...explainedTerms(terms), policy, keys, sources, audience: address }
  return explainPayload(token.value.trim(), moment ? { ...options, clock: () => moment } : options)
}

/** An element with text, which is never read as HTML. */
function element(name: string, text: string, className = ''): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text, className })
}

function itemOf(check: ExplainedCheck): HTMLElement {
  const state = stateOf(check)
  const item = element('li', '', state)
  const says = `${check.says}${isDoubtful(check) ? ' (not trusted)' : ''}`
  const mark = element('span', checkMarks[state])
  mark.role = 'img'
  mark.ariaLabel = state.replace('-', ' ')
  const name = element('b', ` ${check.check}`)
  name.prepend(mark)
  item.append(name, ' ', element('span', says))
  if (check.change !== undefined) item.append(' ', element('span', `→ ${check.change}`, 'change'))
  return item
}

function show(found: readonly ExplainedCheck[] | string): void {
  if (typeof found === 'string') {
    result.replaceChildren(element('p', found))
    return
  }
  const list = element('ul', '')
  list.append(...found.map(itemOf))
  result.replaceChildren(element('p', verdictOf(found)), list)
}

/** Counts changes: an older explanation must not replace a newer one. */
let changes = 0

async function update(): Promise<void> {
  changes += 1
  const change = changes
  const found = await explain().catch((error: unknown) => {
    if (isServiceLinkError(error)) return error.message
    throw error
  })
  if (change === changes) show(found)
}

for (const field of [token, key, audience, asOf]) field.addEventListener('input', () => void update())
// A browser may have kept what was typed before a reload.
void update()
