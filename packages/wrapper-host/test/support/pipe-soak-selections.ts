import type { WrapperClient } from '@service-link/pipe-client'

const listsAtATime = 8

/**
 * Has persons selected by one program while another, which is told of it, keeps asking for lists.
 *
 * @returns the ids of the persons that were asked for, and of those that the other was told of
 */
export async function selectAndHear(selecting: WrapperClient, hearing: WrapperClient, count: number) {
  const select = (customId: string) =>
    selecting.selectPerson({ customId, firstname: 'Ada', lastname: 'King' })
  const events = hearing.events({ events: ['personselected'] })[Symbol.asyncIterator]()
  const next = async () => {
    const { value } = await events.next()
    return value?.type === 'personselected' ? value.person.customId : undefined
  }
  // Until it is told of anything, it may not have asked for it yet.
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
