import { describe, expect, it } from 'vitest'
import { ownAddressStart, ownPageAddress } from './own-content.ts'

describe('ownPageAddress', () => {
  const address = ownPageAddress({
    title: 'A & B',
    paragraphs: ['<script>alert(1)</script>', 'second # ? %'],
    buttons: [{ action: '"><img src=x>', label: '<b>Again' }],
    language: 'nb"',
  })
  const html = decodeURIComponent(address.slice(ownAddressStart.length))

  it('is one address with the whole document', () => {
    expect(address.startsWith(ownAddressStart)).toBe(true)
    expect(address).not.toMatch(/[#?\s]/)
    expect(html).toContain('<html lang="nb&quot;">')
    expect(html).toContain('<title>A &amp; B</title>')
  })

  it('treats text as text only', () => {
    expect(html).not.toMatch(/<(script|img|b)\b/)
    expect(html).toContain('<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>')
    expect(html).toContain('<p>second # ? %</p>')
    expect(html).toContain('data-action="&quot;&gt;&lt;img src=x&gt;"')
  })

  it('runs no script and loads nothing', () => {
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`)
  })
})
