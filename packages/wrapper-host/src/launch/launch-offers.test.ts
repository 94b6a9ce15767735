import { ArgsError } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { LaunchOffers, type LaunchTicket } from './launch-offers.ts'

const launch = (id: string) => ({ id, argv: [], workingDirectory: '/' })
const ticket: LaunchTicket = { waits: false, completed: Promise.resolve({}) }

/** Offers with records of launches as they are taken, begin or are dropped. */
function notedOffers(remembered?: number) {
  const notes: string[] = []
  const offers = new LaunchOffers(async ({ id }, answered) => {
    notes.push(`${id} taken`)
    answered?.then(
      () => notes.push(`${id} begins`),
      error => notes.push(`${id} ${error.code}`),
    )
    return ticket
  }, remembered)
  return { offers, notes }
}

const settled = () => new Promise(resolve => setImmediate(resolve))

describe('LaunchOffers', () => {
  test('a launch begins when its process has the answer, not earlier', async () => {
    const { offers, notes } = notedOffers()
    const offer = offers.offer(launch('a'))
    await offer.ticket
    await settled()
    expect(notes).toEqual(['a taken'])
    offer.told()
    offer.gone()
    await settled()
    expect(notes).toEqual(['a taken', 'a begins'])
  })

  test('a launch whose process left without the answer never begins, and its id is free again', async () => {
    const { offers, notes } = notedOffers()
    const first = offers.offer(launch('a'))
    first.gone()
    first.told()
    await settled()
    const second = offers.offer(launch('a'))
    second.told()
    await settled()
    expect(notes).toEqual(['a taken', 'a ERR_LAUNCHER_GONE', 'a taken', 'a begins'])
  })

  test.each([
    ['the first', 0],
    ['the second', 1],
  ])(
    'of two connections with one id %s is gone: the launch begins once, after the other’s answer',
    async (_which, gone) => {
      const { offers, notes } = notedOffers()
      const both = [offers.offer(launch('a')), offers.offer(launch('a'))]
      both[gone]?.gone()
      await settled()
      expect(notes).toEqual(['a taken'])
      both[1 - gone]?.told()
      await settled()
      expect(notes).toEqual(['a taken', 'a begins'])
    },
  )

  test('a connection lost after another’s answer changes nothing', async () => {
    const { offers, notes } = notedOffers()
    const both = [offers.offer(launch('a')), offers.offer(launch('a'))]
    both[0]?.told()
    both[1]?.gone()
    offers.offer(launch('a')).gone()
    offers.offer(launch('a')).told()
    await settled()
    expect(notes).toEqual(['a taken', 'a begins'])
  })

  test('a refused launch is not remembered', async () => {
    let isRefusing = true
    const offers = new LaunchOffers(() =>
      isRefusing ? Promise.reject(new ArgsError([])) : Promise.resolve(ticket),
    )
    const refused = offers.offer(launch('a'))
    await expect(refused.ticket).rejects.toMatchObject({ code: 'ERR_ARGS' })
    isRefusing = false
    await settled()
    await expect(offers.offer(launch('a')).ticket).resolves.toBe(ticket)
    refused.gone()
  })

  test('the latest answered launches are remembered; waiting ones are never forgotten', async () => {
    const { offers, notes } = notedOffers(2)
    const waiting = offers.offer(launch('waiting'))
    for (const id of ['a', 'b', 'c']) offers.offer(launch(id)).told()
    for (const id of ['b', 'c', 'waiting']) offers.offer(launch(id))
    await settled()
    expect(notes.filter(note => note.endsWith('taken'))).toHaveLength(4)
    offers.offer(launch('a')).told()
    waiting.told()
    await settled()
    expect(notes.filter(note => note === 'a taken')).toHaveLength(2)
    expect(notes.at(-1)).toBe('waiting begins')
  })
})
