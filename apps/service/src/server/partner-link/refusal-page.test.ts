import { PayloadShapeError, refusalStatus } from '@service-link/jwt-payload'
import { expect, test } from 'vitest'
import { renderRefusal } from './partner-link.ts'

function render(language: string, facts: Partial<Parameters<typeof renderRefusal>[0]> = {}): string {
  return renderRefusal({
    refusal: new PayloadShapeError([{ path: 'contact.id', problem: 'is missing' }]),
    requestId: 'request-1',
    partner: undefined,
    script: '',
    request: new Request('https://sso.example/', { headers: { 'accept-language': language } }),
    ...facts,
  })
}

test('a refusal is told in the reader’s language, and its facts are in the fold', () => {
  for (const [language, title] of [
    ['nn-NO,nn;q=0.9,en;q=0.8', 'Pasienten ble ikke åpnet'],
    ['de-DE,de;q=0.9', 'The patient was not opened'],
  ] as const) {
    const [forReader = '', forDevelopers = ''] = render(language).split('<details>')
    expect(forReader).toContain(`<h1>${title}</h1>`)
    expect(forReader).not.toContain('ERR_')
    for (const fact of ['ERR_PAYLOAD_SHAPE', 'contact.id', 'request-1', '#err_payload_shape'])
      expect(forDevelopers).toContain(fact)
  }
})

test('the verified partner’s name and color are shown', () => {
  const appearance = { displayName: 'Nord & Sør', color: '#ffe600' }
  const page = render('nb', { partner: { id: 'nordlys', name: 'Nordlys Journal', appearance } })
  expect(page).toContain('<bdi>Nord &amp; Sør</bdi>')
  expect(page).toContain('--partner:#ffe600')
})

test.each(Object.keys(refusalStatus))('%s has a sentence in each language', code => {
  const refusal = Object.assign(new PayloadShapeError([]), { code })
  for (const language of ['nb', 'en']) expect(render(language, { refusal })).toMatch(/<p>[^<]{30,}<\/p>/)
})
