import { describe, expect, test } from 'vitest'
import { defaultBrand, defineBrand, loginDisplay, unixPipeFolder, wrapperUserFolder } from './brand.ts'

describe('wrapperUserFolder', () => {
  const application = 'Service.Client.WebWrapper'

  test.each<[string, Record<string, string>, string, string]>([
    ['linux', {}, '/home/kari', `/home/kari/.local/share/Service/${application}`],
    ['linux', { XDG_DATA_HOME: '/data' }, '/home/kari', `/data/Service/${application}`],
    ['linux', { XDG_DATA_HOME: '' }, '/home/kari', `/home/kari/.local/share/Service/${application}`],
    ['darwin', {}, '/Users/kari', `/Users/kari/Library/Application Support/Service/${application}`],
    ['win32', {}, 'C:\\Users\\kari', `C:\\Users\\kari\\AppData\\Local\\Service\\${application}`],
    ['win32', { LOCALAPPDATA: 'D:\\Local' }, 'C:\\Users\\kari', `D:\\Local\\Service\\${application}`],
    ['linux', { SERVICE_WRAPPER_DATA: '/own' }, '/home/kari', '/own'],
    ['linux', { SERVICE_WRAPPER_DATA: '' }, '/home/kari', `/home/kari/.local/share/Service/${application}`],
    ['linux', { HOME: '/h' }, '/home/kari', `/h/.local/share/Service/${application}`],
    ['win32', { USERPROFILE: 'D:/k' }, 'C:\\Users\\kari', `D:/k\\AppData\\Local\\Service\\${application}`],
    ['win32', { LOCALAPPDATA: '//srv/k' }, 'C:\\Users\\kari', `//srv/k\\Service\\${application}`],
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

describe('a folder that depends on the working directory', () => {
  const onWindows = ['Local', '.\\Local', 'D:Local', '\\Local', '/Local']
  const onPosix = ['data', './data', '../data', '~/data', 'C:\\data']

  test.each([
    ...['XDG_DATA_HOME', 'HOME'].flatMap(name => onPosix.map(path => ['linux', name, path] as const)),
    ...onPosix.map(path => ['darwin', 'HOME', path] as const),
    ...['LOCALAPPDATA', 'USERPROFILE'].flatMap(name => onWindows.map(path => ['win32', name, path] as const)),
  ])('is ignored: on %s, %s is %j', (platform, name, path) => {
    const home = platform === 'win32' ? 'C:\\Users\\kari' : '/home/kari'
    const folder = (environment: Record<string, string>) =>
      wrapperUserFolder(defaultBrand, platform, environment, () => home)
    expect(folder({ [name]: path })).toBe(folder({}))
  })

  test.each([...onPosix, ''])('is ignored for pipes: TMPDIR is %j', path => {
    expect(unixPipeFolder({ TMPDIR: path })).toBe('/tmp')
  })

  test.each([
    ...onPosix.map(path => ['linux', path] as const),
    ...onWindows.map(path => ['win32', path] as const),
  ])('is refused as SERVICE_WRAPPER_DATA: on %s, %j', (platform, path) => {
    const find = () =>
      wrapperUserFolder(defaultBrand, platform, { SERVICE_WRAPPER_DATA: path }, () => '/home/kari')
    expect(find).toThrow(/^The variable SERVICE_WRAPPER_DATA must name a folder by its absolute path\./)
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
