import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { doctorPlace } from '../support/doctor.ts'

const isLinux = process.platform === 'linux'

afterEach(() => vi.unstubAllEnvs())

describe('engine', () => {
  test.skipIf(!hasBrowser)(
    'with a browser is named with its version, with and without a display',
    async () => {
      await using place = await doctorPlace()
      const sentence = expect.stringMatching(/^EoWebBrowser: .*\d/)
      expect(await place.find('engine')).toMatchObject({ status: 'ok', sentence })
    },
  )

  test.skipIf(!isLinux)('with a program that is no browser is a warning', async () => {
    vi.stubEnv('SERVICE_BROWSER', '/bin/true')
    await using place = await doctorPlace({ SERVICE_BROWSER: '/bin/true' })
    await place.configure({ BrowserEngine: 'Headless' })
    const sentence = expect.stringContaining('which the variable SERVICE_BROWSER names, is no known browser')
    expect(await place.find('engine')).toMatchObject({ status: 'warning', sentence })
  })

  test('without a browser', async () => {
    vi.stubEnv('SERVICE_BROWSER', '/nowhere/browser')
    await using place = await doctorPlace()
    await place.configure({ BrowserEngine: 'Headless' })
    const remedy = expect.stringContaining('SERVICE_BROWSER')
    expect(await place.find('engine')).toMatchObject({ status: 'problem', remedy })
  })
})

describe('display', () => {
  test.skipIf(!isLinux).each([
    ['there', { DISPLAY: ':0' }, 'ok'],
    ['missing', {}, 'problem'],
  ])('%s', async (_, variables, status) => {
    await using place = await doctorPlace(variables)
    expect(await place.find('display')).toMatchObject({ status })
  })

  test('does not matter without a window', async () => {
    await using place = await doctorPlace()
    await place.configureUser({ BrowserEngine: 'headless' })
    expect(await place.find('display')).toMatchObject({ status: 'skipped' })
    expect(await place.find('tray')).toMatchObject({ status: 'skipped' })
  })
})

describe('tray', () => {
  test.skipIf(!isLinux)('without a message bus has no icon, which is only a warning', async () => {
    await using place = await doctorPlace({ DISPLAY: ':0' })
    const remedy = expect.stringContaining('message bus')
    expect(await place.find('tray')).toMatchObject({ status: 'warning', remedy })
  })
})
