import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { WindowsProcess } from './wine/start-process.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }

describe('starts and ends of the packed executable', () => {
  let desk: WrapperDesk
  beforeAll(async () => {
    desk = await openWrapperDesk()
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  const start = async (customId: string) => {
    const started = await desk.start([commandLine, ...person(customId, 'Ola', 'Dyk')])
    onTestFinished(() => started[Symbol.asyncDispose]())
    return started
  }
  const isSelected = (...customIds: string[]) =>
    vi.waitFor(() => {
      const selected = desk.site.selected.map(({ customId }) => customId)
      expect(selected).toEqual(expect.arrayContaining(customIds))
    }, limit)
  const endsInOrder = async (wrapper: WindowsProcess) => {
    const end = await desk.servicePipe('close', ...(await desk.pipeArguments(wrapper)))
    expect(end).toMatchObject({ exitCode: 0 })
    expect(await wrapper.exited).toBe(0)
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
  }

  test('restarts its browser when that is lost', async () => {
    const wrapper = await start('21')
    await isSelected('21')
    const before = desk.browser.starts.length
    desk.browser.crash()
    await vi.waitFor(() => expect(desk.browser.starts.length).toBe(before + 1), limit)
    expect(await desk.run([commandLine, ...person('22', 'Ola', 'Dyk')])).toMatchObject({ exitCode: 0 })
    await isSelected('22')
    await endsInOrder(wrapper)
  })

  test('leaves nothing after a kill that blocks the next start', async () => {
    const killed = await start('31')
    await isSelected('31')
    const [pid = ''] = (await desk.pipeArguments(killed)).slice(1)
    await desk.windows.run('taskkill.exe', ['/F', '/PID', pid])
    await killed.exited
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
    const next = await start('32')
    await isSelected('32')
    await endsInOrder(next)
  })
})
