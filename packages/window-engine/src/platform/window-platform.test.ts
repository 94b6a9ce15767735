import { win32 as windowsPath } from 'node:path'
import { describe, expect, it } from 'vitest'
import { windowPlatform } from './current-platform.ts'
import { darwin } from './darwin.ts'
import { linux } from './linux.ts'
import { win32 } from './windows.ts'

const places = (...[platform, environment]: [typeof linux, Record<string, string>]) =>
  platform.browserPlaces(environment).map(({ executable }) => executable)

const alert = { title: 'T did not start', text: '<b>"\'$(id) %PATH% `x` & |\n\nThe log: /x' }

describe('the platforms', () => {
  it.each([
    ['win32', win32],
    ['darwin', darwin],
    ['linux', linux],
    ['freebsd', linux],
  ] as const)('has its own file: %s', (name, platform) => {
    expect(windowPlatform(name)).toBe(platform)
  })

  // Node’s paths are those of its platform.
  const unlessWindows = it.skipIf(process.platform === 'win32')

  unlessWindows('looks along PATH on Linux, then in the usual folders', () => {
    const found = places(linux, { PATH: '/first:/second' })
    expect(found.indexOf('/first/google-chrome')).toBeLessThan(found.indexOf('/second/google-chrome'))
    expect(found).toContain('/usr/bin/chromium')
    expect(found).toContain('/snap/bin/chromium')
    expect(new Set(found).size).toBe(found.length)
  })

  it('looks in the program folders on Windows', () => {
    const environment = {
      ProgramFiles: 'C:\\Program Files',
      ProgramW6432: 'C:\\Program Files',
      'ProgramFiles(x86)': 'C:\\Program Files (x86)',
      LOCALAPPDATA: 'C:\\Users\\Åse\\AppData\\Local',
    }
    const found = places(win32, environment)
    expect(found).toContain('C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe')
    expect(found).toContain('C:\\Users\\Åse\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe')
    expect(new Set(found).size).toBe(found.length)
    expect(places(win32, {})).toEqual([])
  })

  it('opens a link by an absolute path on Windows', () => {
    expect(windowsPath.isAbsolute(win32.openerCall('https://site.example/').file)).toBe(true)
  })

  unlessWindows('looks in both application folders on macOS', () => {
    const found = places(darwin, { HOME: '/Users/kari' })
    expect(found).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome')
    expect(found).toContain('/Users/kari/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge')
  })

  it('needs a display on Linux only', () => {
    expect(linux.displayProblem({})).toContain('DISPLAY')
    expect(linux.displayProblem({ DISPLAY: ':0' })).toBeUndefined()
    expect(linux.displayProblem({ WAYLAND_DISPLAY: 'wayland-0' })).toBeUndefined()
    expect(win32.displayProblem({})).toBeUndefined()
    expect(darwin.displayProblem({})).toBeUndefined()
  })

  it.each([
    ['linux', linux],
    ['darwin', darwin],
    ['win32', win32],
  ])('passes an address as one argument, without a shell: %s', (_name, platform) => {
    const url = 'https://site.example/?a=1&b=%22;$(id)'
    const { file, args } = platform.openerCall(url)
    expect(args.at(-1)).toBe(url)
    expect(file).not.toMatch(/cmd|sh$|powershell/)
  })

  it.runIf(process.platform === 'win32')(
    'pass a message box’s text by variables on Windows, to this program',
    () => {
      const command = ['C:\\W\\wrapper.exe', 'script']
      const { file, args, environment } = win32.alertCall(alert, {}, command) ?? {}
      expect([file, ...(args ?? [])]).toEqual([...command, '--alert'])
      expect(Object.values(environment ?? {})).toEqual([alert.title, alert.text])
      expect(win32.alertCall(alert, {})).toBeUndefined()
    },
  )

  it('pass a message box’s text as a separate argument on macOS, never in a script', () => {
    const { args = [] } = darwin.alertCall(alert, {}) ?? {}
    expect(args.slice(-2)).toEqual([alert.title, alert.text])
    expect(args.slice(0, -2)).toEqual(darwin.alertCall({ title: '', text: '' }, {})?.args.slice(0, -2))
  })

  unlessWindows('show no message box where there is no program for one, or only in a relative folder', () => {
    expect(linux.alertCall(alert, { PATH: '/nonexistent:.:bin' })).toBeUndefined()
    expect(linux.alertCall(alert, {})).toBeUndefined()
  })
})
