import { describe, expect, test } from 'vitest'
import { defaultBrand, defineBrand, loginDisplay, wrapperUserFolder } from './brand.ts'

describe('wrapperUserFolder', () => {
  const application = 'Service.Client.WebWrapper'

  test.each<[string, Record<string, string>, string, string]>([
    ['linux', {}, '/home/kari', `/home/kari/.local/share/Service/${application}`],
    ['linux', { XDG_DATA_HOME: '/data' }, '/home/kari', `/data/Service/${application}`],
    ['linux', { XDG_DATA_HOME: '' }, '/home/kari', `/home/kari/.local/share/Service/${application}`],
    ['darwin', {}, '/Users/kari', `/Users/kari/Library/Application Support/Service/${application}`],
    ['win32', {}, 'C:\\Users\\kari', `C:\\Users\\kari\\AppData\\Local\\Service\\${application}`],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\kari', `D:\\Local\\Service\\${application}`],
    ['linux', { SERVICE_WRAPPER_DATA: 'own' }, '/home/kari', 'own'],
  ])('on %s with %j and the home %s it is %s', (platform, environment, home, folder) => {
    expect(wrapperUserFolder(defaultBrand, platform, environment, () => home)).toBe(folder)
  })

  test('has the brand’s names', () => {
    const brand = defineBrand({ name: 'Acme', vendor: 'Acme Health' })
    expect(wrapperUserFolder(brand, 'linux', {}, () => '/home/kari')).toBe(
      '/home/kari/.local/share/Acme Health/Acme.Client.WebWrapper',
    )
  })

  test('needs no home when the environment has every folder', () => {
    const none = () => {
      throw new Error('There is no home.')
    }
    expect(wrapperUserFolder(defaultBrand, 'linux', { XDG_DATA_HOME: '/data' }, none)).toMatch(/^\/data\//)
  })
})

describe('loginDisplay', () => {
  test.each<[Record<string, string>, string]>([
    [{ DISPLAY: ':1' }, ':1'],
    [{ DISPLAY: ':1.0' }, ':1'],
    [{ DISPLAY: 'desk.example:10.1', WAYLAND_DISPLAY: 'wayland-0' }, 'desk.example:10'],
    [{ DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }, 'wayland-0'],
    [{}, ''],
  ])('of %j is %j', (environment, display) => {
    expect(loginDisplay(environment)).toBe(display)
  })
})
