import { createMemoryWebApp, startTestWrapper } from '@service-link/wrapper-host/testing'
import { expect, test } from 'vitest'
import { driveWrapper } from '../../src/demo/demo-wrapper.ts'

test('a press tells of its own patient alone, and after a failure the next one takes another patient', async () => {
  const app = createMemoryWebApp()
  let isFailing = true
  const selectPerson: typeof app.selectPerson = (...args) => {
    if (isFailing) throw new Error('no')
    return app.selectPerson(...args)
  }
  await using wrapper = await startTestWrapper({ webApp: { ...app, selectPerson } })
  const { state, drive } = driveWrapper({
    window: 'memory',
    folder: '',
    environment: {},
    userFolder: wrapper.folders.userFolder,
    start: () => wrapper.closed,
    signVisit: async () => undefined,
    logInsAsked: () => 0,
  })
  const settled = (key: string) => expect.poll(async () => (await state()).says.key).toBe(key)
  await settled('signedIn_memory')
  await drive()
  expect(await state()).toMatchObject({ tone: 'refused', driven: 'refused', more: { key: 'problem' } })
  expect((await state()).says.key).toBe('notSelected')
  isFailing = false
  await drive()
  await settled('selected_memory')
  const { says, travelled } = await state()
  expect(says.values.name).toBe('Ola van Dyk')
  expect(travelled?.patient).toContainEqual({ field: 'customId', value: '1002' })
  wrapper.selectInPage({ customId: '9', firstname: 'Nora', lastname: 'Li' })
  await expect.poll(async () => (await state()).says.values.name).toBe('Nora Li')
  expect(await state()).not.toHaveProperty('travelled')
  expect(await state()).not.toHaveProperty('more')
  await wrapper.close()
  await settled('wrapperEnded')
  expect((await state()).driven).toBe('done')
})
