import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as z from 'zod/mini'
import {
  appearanceSchema,
  originSchema,
  type PartnerRegistration,
  type partnerRegistrationSchema,
} from './partner-registration.ts'

/** Each member, also of members, as one that must be there: a type with one more or less is then another. */
type Members<Value> = Value extends readonly (infer Element)[]
  ? readonly Members<Element>[]
  : Value extends object
    ? { readonly [Name in keyof Value]-?: Members<Value[Name]> }
    : Value

test('the interface of a registration has the members of its schema, and no others', () => {
  type Read = Members<z.input<typeof partnerRegistrationSchema>>
  expectTypeOf<Members<PartnerRegistration>>().toExtend<Read>()
  expectTypeOf<Read>().toExtend<Members<PartnerRegistration>>()
})

const png = 'data:image/png;base64,iVBORw0KGgo='

describe('an appearance', () => {
  test.each([
    {},
    { displayName: 'Journal «Å» 日本' },
    { logoUrl: 'https://cdn.example/logo.svg?v=2' },
    { logoUrl: 'https://cdn_1.xn--bcher-kva.example:8443/logo.svg' },
    { logoUrl: 'https://[2001:db8::1]/logo.svg' },
    { logoUrl: png },
    { logoUrl: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E' },
    { color: '#00aaFF' },
    { landingView: 'my-workouts2' },
  ])('%j is kept unchanged', appearance => {
    expect(appearanceSchema.parse(appearance)).toEqual(appearance)
  })

  test.each<[string, object]>([
    ['a script for a logo', { logoUrl: 'javascript:alert(1)' }],
    ['a script for a logo, hidden', { logoUrl: ' java\nscript:alert(1)' }],
    ['a page for a logo', { logoUrl: 'data:text/html,<script>alert(1)</script>' }],
    ['a page for a logo, hidden', { logoUrl: 'data:image/png,text/html;base64"><script>' }],
    ['an SVG of raw markup', { logoUrl: 'data:image/svg+xml,<svg onload="alert(1)">' }],
    ['a logo over http', { logoUrl: 'http://cdn.example/logo.svg' }],
    ['a logo of this page', { logoUrl: '/logo.svg' }],
    ['a logo with a password', { logoUrl: 'https://user:secret@cdn.example/logo.svg' }],
    ['a logo that ends its attribute', { logoUrl: 'https://cdn.example/"><script>' }],
    ['a logo whose host ends the policy', { logoUrl: "https://cdn.example;script-src 'unsafe-inline'" }],
    ['a logo of another policy', { logoUrl: 'https://cdn.example;script-src/logo.svg' }],
    ['a logo of every host', { logoUrl: 'https://*.example/logo.svg' }],
    ['a logo of every host at all', { logoUrl: 'https://*/logo.svg' }],
    ['a logo of two hosts', { logoUrl: 'https://cdn.example,evil.example/logo.svg' }],
    ['a logo of a quoted host', { logoUrl: "https://'self'/logo.svg" }],
    ['a logo with a line break', { logoUrl: 'https://cdn.example/\nlogo.svg' }],
    ['a logo of 3,000 characters', { logoUrl: `https://cdn.example/${'a'.repeat(3000)}` }],
    ['a logo of 70,000 bytes', { logoUrl: `${png}${'a'.repeat(70_000)}` }],
    ['a color with more style', { color: '#00aaff;background:url(https://evil.example)' }],
    ['a color by name', { color: 'red' }],
    ['a color with a line break', { color: '#00aaff\n' }],
    ['a color of a function', { color: 'var(--x)' }],
    ['a view that is a path', { landingView: '../admin' }],
    ['a view that is an address', { landingView: 'https://evil.example' }],
    ['an empty view', { landingView: '' }],
    ['an empty name', { displayName: ' ' }],
    ['a name of 300 characters', { displayName: 'n'.repeat(300) }],
    ['something else', { script: 'alert(1)' }],
  ])('with %s is refused', (_name, appearance) => {
    expect(appearanceSchema.safeParse(appearance).success).toBe(false)
  })
})

describe('a frame origin', () => {
  test.each([
    'https://journal.example',
    'https://journal.example:8443',
    'http://localhost:4000',
    'http://app.localhost',
    'http://127.0.0.1:4000',
  ])('%s is accepted', origin => {
    expect(originSchema.parse(origin)).toBe(origin)
  })

  test.each([
    '*',
    'https://*',
    'https://*.example',
    'https:',
    'https://journal.example/',
    'https://journal.example/path',
    'https://journal.example?x',
    'https://user@journal.example',
    'https://JOURNAL.example',
    'https://journal.example:443',
    'https://journal.example https://evil.example',
    "https://journal.example; script-src 'unsafe-inline'",
    'https://journal.example;script-src',
    'https://journal.example,https://evil.example',
    'https://journal.example\r\nset-cookie: a=b',
    'http://journal.example',
    'http://localhost.evil.example',
    'null',
    'data:',
    'file://',
    "'self'",
    "'none'",
    '',
    `https://${'a'.repeat(300)}.example`,
  ])('%j is refused', origin => {
    expect(originSchema.safeParse(origin).success).toBe(false)
  })
})
