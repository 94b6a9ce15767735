import { queryOptions } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { personQuery } from '../api/queries.ts'
import { answerOf, api, expectAccount } from '../api/request.ts'
import { presentFocus } from './visit.ts'

/**
 * The signed-in employee. The page's first answer has the person in focus too. If the employee changes, the page drops
 * the former one's data.
 */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ client }) => {
    const focus = presentFocus()
    const isKnown = focus && client.getQueryData(personQuery(focus.personId).queryKey) !== undefined
    const query = focus && !isKnown ? { focus: String(focus.personId) } : {}
    const { employee, person } = await answerOf(api.session.$get({ query }))
    if (expectAccount(employee?.accountId))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    if (person && employee?.accountId === focus?.accountId)
      client.setQueryData(personQuery(person.userId).queryKey, { person })
    return { employee }
  },
  select: ({ employee }) => employee,
  staleTime: 0,
  refetchOnMount: false,
})

export type Employee = NonNullable<InferResponseType<typeof api.session.$get>['employee']>
