import { describe, expect, it } from 'vitest'
import { browserArguments, startAddress } from './browser-process.ts'

const plain = {
  executable: '/usr/bin/chromium',
  isHeadless: false,
  isPrivileged: false,
  start: 'https://app.example:1/',
  profile: '/home/kari/profile',
}

describe('browserArguments', () => {
  it('opens an app window with a separate profile, through a pipe', () => {
    const flags = browserArguments(plain)
    expect(flags).toContain('--remote-debugging-pipe')
    expect(flags).toContain('--user-data-dir=/home/kari/profile')
    expect(flags.at(-1)).toBe('--app=https://app.example:1/')
    expect(flags.join(' ')).not.toMatch(/remote-debugging-port|headless/)
  })

  it.each(['/usr/bin/chromium-headless-shell', 'C:\\chrome-headless-shell.exe', '/opt/headless_shell'])(
    'gives a browser without app mode the page alone: %s',
    executable => {
      expect(browserArguments({ ...plain, executable, isHeadless: true }).at(-1)).toBe(plain.start)
    },
  )

  it.each([
    ['https://app.example/service?token=secret#part', 'https://app.example:1/'],
    ['http://app.example:8080/', 'http://app.example:1/'],
    ['http://kari:secret@[::1]/', 'http://[::1]:1/'],
  ])('starts with the host of %s alone', (url, address) => {
    expect(startAddress(url)).toBe(address)
  })

  it('keeps Edge the process that has the pipe', () => {
    expect(browserArguments(plain)).toContain('--edge-skip-compat-layer-relaunch')
  })

  it('disables the sandbox for a user with all rights only', () => {
    expect(browserArguments(plain)).not.toContain('--no-sandbox')
    expect(browserArguments({ ...plain, isPrivileged: true })).toContain('--no-sandbox')
  })

  it('has neither window nor developer tools when headless', () => {
    const flags = browserArguments({ ...plain, isHeadless: true, isDebug: true })
    expect(flags).toContain('--headless=new')
    expect(flags).not.toContain('--auto-open-devtools-for-tabs')
    expect(browserArguments({ ...plain, isDebug: true })).toContain('--auto-open-devtools-for-tabs')
  })

  it('places the window only at a given place', () => {
    const placement = { left: -1200, top: 20, width: 800, height: 600 }
    const flags = browserArguments({ ...plain, placement })
    expect(flags).toContain('--window-position=-1200,20')
    expect(flags).toContain('--window-size=800,600')
    expect(browserArguments(plain).join(' ')).not.toContain('--window-')
  })
})
