import { describe, expect, test } from 'vitest'
import { PostOptionError } from './post-errors.ts'
import { payloadFormPolicy, renderPayloadForm } from './render-payload-form.ts'

const options = { action: 'https://sso.example/partner/payload', payload: 'aa.bb.cc' }

describe('[4.1-form] renderPayloadForm', () => {
  test('is a form with post method, one hidden field and a new window', () => {
    const html = renderPayloadForm(options)
    expect(html).toContain(
      '<form method="post" action="https://sso.example/partner/payload" target="_blank">',
    )
    expect(html.match(/<input/g)).toHaveLength(1)
    expect(html).toContain('<input type="hidden" name="payload" value="aa.bb.cc">')
    expect(html).toContain('<button>Open sso.example</button>')
    expect(html).toContain('<script>')
  })

  test('every value is escaped', () => {
    const html = renderPayloadForm({
      ...options,
      action: 'https://sso.example/?a="><script>&b=\'',
      target: '"x',
      nonce: '"y',
      submitLabel: '<b>&',
    })
    expect(html).toContain('action="https://sso.example/?a=&quot;&gt;&lt;script&gt;&amp;b=&#39;"')
    expect(html).toContain('target="&quot;x"')
    expect(html).toContain('<script nonce="&quot;y">')
    expect(html).toContain('>&lt;b&gt;&amp;</button>')
  })

  test.each([
    'https://u:p@sso.example/partner/payload',
    'javascript:alert(1)',
    '/partner/payload',
    'https:/partner/payload',
    'data:text/html,x',
    '',
  ])('the action %s is refused', action => {
    expect(() => renderPayloadForm({ ...options, action })).toThrow(PostOptionError)
    expect(() => payloadFormPolicy({ action })).toThrow(PostOptionError)
  })

  test.each(['', 'aa.bb', 'aa.bb.cc.dd', 'aa.bb."><script>', 'aa bb.cc.dd'])(
    'the payload %j is refused',
    payload => {
      expect(() => renderPayloadForm({ ...options, payload })).toThrow(PostOptionError)
    },
  )

  test('its policy allows the post and the script with the nonce alone', () => {
    const { action } = options
    expect(payloadFormPolicy({ action, nonce: 'bm9uY2U=' })).toBe(
      "default-src 'none'; script-src 'nonce-bm9uY2U='; form-action https://sso.example; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(payloadFormPolicy({ action })).not.toContain('script-src')
    expect(() => payloadFormPolicy({ action: 'https://a;b/' })).toThrow(PostOptionError)
    expect(() => payloadFormPolicy({ action, nonce: "a'; script-src *" })).toThrow(PostOptionError)
  })
})
