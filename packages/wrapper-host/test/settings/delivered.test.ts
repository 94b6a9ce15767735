import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { findSettings } from '../../src/settings/find-settings.ts'
import { settingsFolders, settingText } from '../support/settings-folders.ts'

const withCulture = (culture: string) =>
  `<configuration><applicationSettings><S>${settingText('Culture', culture)}</S></applicationSettings></configuration>`

test('[2.2-files] settings for everybody are the delivered ones until an installer writes some', async () => {
  await using at = await settingsFolders()
  const found = async () => (await findSettings(at.options)).application
  expect(await found()).toEqual({ state: 'absent', file: at.configFile })
  await writeFile(`${at.configFile}.default`, withCulture('da'))
  expect(await found()).toMatchObject({ state: 'read', file: `${at.configFile}.default` })
  await writeFile(at.configFile, withCulture('nb'))
  expect(await found()).toMatchObject({ state: 'read', file: at.configFile })
})

test('unreadable settings for everybody are not replaced by delivered ones', async () => {
  await using at = await settingsFolders()
  await writeFile(`${at.configFile}.default`, withCulture('da'))
  await writeFile(at.configFile, '<configuration')
  expect((await findSettings(at.options)).application).toMatchObject({
    state: 'damaged',
    file: at.configFile,
  })
})
