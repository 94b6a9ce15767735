import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { ReceiverOptionError } from '../receiver-errors.ts'
import { type PageOutcome, renderBootPage } from './render-boot-page.ts'

const outcome: PageOutcome = {
  kind: 'signed-in',
  requestId: 'r',
  partner: { id: 'p', name: 'P</script><script>alert(1)</script>\u2028', appearance: {} },
  frame: undefined,
  linkId: 'link',
  account: { id: 'a', displayName: '<!-- $& $1 -->' },
  contact: { kind: 'selected', contactId: 'c' },
}

describe('renderBootPage', () => {
  test('keeps the outcome exactly, and no value ends the script', () => {
    const html = renderBootPage('<html><head lang="en"></head></html>', outcome, { nonce: 'n"n' })
    const json =
      /<script type="application\/json" id="service-link-boot">(.*?)<\/script>/s.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toEqual(outcome)
    expect(html.match(/<script/g)).toHaveLength(2)
    expect(html).toContain('<script nonce="nn">')
    expect(html.startsWith('<html><head lang="en"><script')).toBe(true)
  })

  test('an index page without head is refused; a header element does not count', () => {
    expect(() => renderBootPage('<header></header>', outcome, { nonce: 'n' })).toThrow(ReceiverOptionError)
  })

  test.each([
    ['another account', 'other', { id: 'other' }],
    ['the same account', 'a', undefined],
    ['no account', null, undefined],
  ])('its script replaces the address, and notes that %s was there before', (_what, before, replaced) => {
    const html = renderBootPage('<head></head>', outcome, { nonce: 'n' })
    const [, json = '', script = ''] =
      /boot">(.*?)<\/script><script nonce="n">(.*?)<\/script>/s.exec(html) ?? []
    const kept = new Map([['service-link-account', before]])
    const page: { serviceLinkBoot?: unknown } = {}
    const addresses: unknown[] = []
    runInNewContext(script, {
      window: page,
      history: { replaceState: (...state: unknown[]) => addresses.push(state.at(-1)) },
      document: { getElementById: () => ({ textContent: json }) },
      localStorage: {
        getItem: (key: string) => kept.get(key) ?? null,
        setItem: (key: string, value: string) => kept.set(key, value),
      },
    })
    expect(page.serviceLinkBoot).toEqual({ ...outcome, ...(replaced && { replacedAccount: replaced }) })
    expect([addresses, kept.get('service-link-account')]).toEqual([['/'], 'a'])
  })
})
