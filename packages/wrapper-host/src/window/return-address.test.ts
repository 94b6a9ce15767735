import { describe, expect, test } from 'vitest'
import { ReturnAddress } from './return-address.ts'

describe('the address to return to', () => {
  test('is the web app’s last one, and at first its start address', () => {
    const address = new ReturnAddress('https://app.example')
    expect(address.current).toBe('https://app.example/')
    address.noteLoaded('https://app.example/persons/17#plan')
    expect(address.current).toBe('https://app.example/persons/17#plan')
    address.forget()
    expect(address.current).toBe('https://app.example/')
  })

  test.each([
    ['of another origin', 'https://login.example/authorise?state=1'],
    ['that was posted to', 'https://app.example/partner/payload'],
    ['that was posted to, with a fragment', 'https://app.example/partner/payload#x'],
    ['of the browser itself', 'chrome-error://chromewebdata/'],
  ])('is never one %s', (_title, url) => {
    const address = new ReturnAddress('https://app.example/start')
    address.notePosted('https://app.example/partner/payload')
    address.noteLoaded(url)
    expect(address.current).toBe('https://app.example/start')
  })

  test('replaces one that cannot be requested again', () => {
    const address = new ReturnAddress('https://app.example/')
    address.notePosted('https://app.example/partner/payload')
    expect(address.insteadOf('https://app.example/partner/payload')).toBe('https://app.example/')
    expect(address.insteadOf('https://login.example/authorise')).toBe('https://login.example/authorise')
  })
})
