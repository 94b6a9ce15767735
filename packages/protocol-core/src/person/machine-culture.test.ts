import { afterEach, expect, test, vi } from 'vitest'
import { machineCulture } from './machine-culture.ts'
import { readDate } from './parse-date.ts'

afterEach(() => vi.unstubAllEnvs())

function cultureUnder(environment: Readonly<Record<string, string>>): string {
  for (const name of ['LC_ALL', 'LC_TIME', 'LANG', 'LANGUAGE']) vi.stubEnv(name, environment[name])
  return machineCulture()
}

const table: readonly (readonly [Readonly<Record<string, string>>, string])[] = [
  [{ LANG: 'en_US.UTF-8', LC_TIME: 'nb_NO.UTF-8' }, 'nb-NO'],
  [{ LANG: 'nb_NO.UTF-8', LC_TIME: 'en_US.UTF-8' }, 'en-US'],
  [{ LC_ALL: 'de_DE.UTF-8', LC_TIME: 'nb_NO.UTF-8', LANG: 'en_US.UTF-8' }, 'de-DE'],
  [{ LC_ALL: '', LC_TIME: '', LANG: 'nb_NO.UTF-8' }, 'nb-NO'],
  [{ LC_ALL: '', LC_TIME: 'sv' }, 'sv'],
  [{ LC_TIME: 'en_US@euro' }, 'en-US'],
  [{ LC_TIME: 'nb_NO.ISO-8859-1' }, 'nb-NO'],
  [{ LC_TIME: 'sr_RS.UTF-8@latin' }, 'sr-Latn-RS'],
  [{ LC_TIME: 'es_419' }, 'es-419'],
  [{ LANG: 'nb-NO' }, 'nb-NO'],
  [{}, 'und'],
  [{ LANG: '' }, 'und'],
  [{ LANG: 'C' }, 'und'],
  [{ LANG: 'C.UTF-8' }, 'und'],
  [{ LANG: 'POSIX' }, 'und'],
  [{ LC_ALL: 'C', LANG: 'nb_NO.UTF-8' }, 'und'],
  [{ LC_TIME: 'C.UTF-8', LANG: 'en_US.UTF-8' }, 'und'],
  [{ LC_TIME: 'xx_YY.UTF-8', LANG: 'en_US.UTF-8' }, 'und'],
  [{ LC_TIME: 'norwegian' }, 'und'],
  [{ LC_TIME: '/usr/lib/locale/nb_NO' }, 'und'],
  [{ LANGUAGE: 'nb_NO:nb' }, 'und'],
]

// On Windows the user's regional format counts.
test.skipIf(process.platform === 'win32').each(table)(
  'under %j the culture is %s',
  (environment, culture) => {
    expect(cultureUnder(environment)).toBe(culture)
  },
)

test.skipIf(process.platform === 'win32')('decides how a date is read', () => {
  const mixed = { LANG: 'en_US.UTF-8', LC_TIME: 'nb_NO.UTF-8' }
  expect([cultureUnder(mixed), readDate('03.04.1980')]).toMatchObject(['nb-NO', { date: '1980-04-03' }])
  cultureUnder({ LC_ALL: 'POSIX' })
  expect(readDate('03.04.1980')).toEqual({
    problem:
      'must be written YYYY-MM-DD: neither the setting Culture nor LC_ALL, LC_TIME or LANG tells whether the day or the month comes first',
  })
  expect(readDate('1980/4/3')).toEqual({ date: '1980-04-03' })
})
