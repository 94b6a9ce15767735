import { afterEach, expect, test, vi } from 'vitest'
import { answerOf, api, expectAccount } from './request.ts'

afterEach(() => {
  vi.restoreAllMocks()
  expectAccount(undefined)
})

const answerWith = (body: string, status: number) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(body, { status }))

test('an answer that breaks off is a failure to reach the service, not an empty answer', async () => {
  answerWith('{"employee": {"accou', 200)
  await expect(answerOf(api.session.$get({ query: {} }))).rejects.toMatchObject({
    status: 0,
    code: 'ERR_UNREACHABLE',
  })
})

test.each([
  ['what the service says', '{"code":"ERR_NOT_FOUND","title":"There is no such person."}', 'ERR_NOT_FOUND'],
  ['its status when it says nothing', '<html>', 'HTTP_404'],
])('a refusal carries %s', async (_name, body, code) => {
  answerWith(body, 404)
  await expect(answerOf(api.persons[':id'].$get({ param: { id: '1' } }))).rejects.toMatchObject({
    status: 404,
    code,
  })
})

test('an answer to what one account asked is not for the next account', async () => {
  const answered = Promise.withResolvers<Response>()
  vi.spyOn(globalThis, 'fetch').mockReturnValue(answered.promise)
  expectAccount('one')
  const asked = answerOf(api.persons[':id'].$get({ param: { id: '1' } }))
  expectAccount('other')
  answered.resolve(Response.json({ person: {} }))
  await expect(asked).rejects.toMatchObject({ status: 409, code: 'ERR_OTHER_ACCOUNT' })
})
