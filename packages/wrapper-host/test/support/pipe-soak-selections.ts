import type { WrapperClient } from '@service-link/pipe-client'

const listsAtATime = 8

/**
 * Selects persons with one client while another client gets their events and asks for lists.
 *
 * @returns the ids of the selected persons, and those of the events
 */
export async function selectAndHear(selecting: WrapperClient, hearing: WrapperClient, count: number) {
  const select = (customId: string) =>
    selecting.selectPerson({ customId, firstname: 'Ada', lastname: 'King' })
  const events = hearing.events({ events: ['personselected'] })[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = await events.next()
    return value?.type === 'personselected' ? value.person.customId : undefined
  }
  // Its subscription has begun when it gets an event.
  let isTold = false
  const first = next().then(id => {
    isTold = true
    return id
  })
  for (let number = 0; !isTold; number++) await select(`early-${number}`)
  const asked = Array.from({ length: count }, (_, number) => `person-${number}`)
  let isOver = false
  const lists = Array.from({ length: listsAtATime }, async () => {
    while (!isOver) await hearing.getListOfUsers({})
  })
  for (const customId of asked) await select(customId)
  const heard: (string | undefined)[] = []
  let id = await first
  for (;;) {
    if (!id?.startsWith('early-')) heard.push(id)
    if (heard.length === count) break
    id = await next()
  }
  isOver = true
  await Promise.all(lists)
  await events.return?.()
  return { asked, heard }
}
