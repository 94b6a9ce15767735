import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { drawOwnPage, ownPageContent } from './own-content.ts'

describe('ownPageContent', () => {
  const html = ownPageContent({
    title: 'A & B',
    paragraphs: ['<script>alert(1)</script>', 'second # ? %'],
    buttons: [{ action: '"><img src=x>', label: '<b>Again' }],
  })

  it('treats text as text only', () => {
    expect(html).toContain('<title>A &amp; B</title>')
    expect(html).not.toMatch(/<(script|img|b)\b/)
    expect(html).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(html).toContain('<p>second # ? %</p>')
    expect(html).toContain('data-action="&quot;&gt;&lt;img src=x&gt;"')
  })

  it('runs no script and loads nothing', () => {
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`)
  })

  it.each([
    ['#2563a8', '#fff'],
    ['#f2c230', '#000'],
    ['#777777', '#000'],
    ['#757575', '#fff'],
  ])('on the color %s text is %s, with a contrast of 4.5 at least', (color, text) => {
    const page = { title: 'A', paragraphs: [], buttons: [] }
    expect(ownPageContent(page, { color })).toContain(`--brand: ${color}; --on-brand: ${text}`)
  })

  it('shows the picture, unless it is too large', () => {
    const page = { title: 'A', paragraphs: [], buttons: [] }
    const shown = (bytes: number) =>
      ownPageContent(page, { color: '#2563a8', picture: new Uint8Array(bytes) })
    expect(shown(3)).toContain('<link rel="icon" href="data:image/png;base64,AAAA">')
    expect(shown(3)).toContain('<img src="data:image/png;base64,AAAA" alt="">')
    expect(shown(256 * 1024 + 1)).not.toContain('<img')
  })
})

describe('drawOwnPage', () => {
  it('leaves a document that a page can reach as it is', () => {
    const document = { documentElement: { innerHTML: 'kept' } }
    const world = createContext({ origin: 'https://app.example', document })
    runInContext(`(${drawOwnPage})('own', 'en', 'binding')`, world)
    expect(document.documentElement.innerHTML).toBe('kept')
  })
})
