import { randomBytes } from 'node:crypto'
import { maxTextLength } from '@service-link/protocol-core'
import { expect, test } from 'vitest'
import { logInAs } from '../../src/testing/visitor.ts'
import { accounts } from '../support/accounts.ts'
import { confirmLink, post, readBoot, sign, visit } from '../support/post.ts'
import { startService } from '../support/service.ts'

/** As long as a field may be, and incompressible for a database. */
const longText = () => randomBytes(maxTextLength).toString('base64url').slice(0, maxTextLength)

/** Another text with the same beginning, as far as an index could hold it. */
const alike = (text: string) => `${text.slice(0, -1)}${text.endsWith('-') ? '_' : '-'}`

test('identifiers and names of the greatest length are kept, found and distinguished', async () => {
  await using running = await startService()
  const [id, ssn] = [longText(), longText()]
  const contact = { id, ssn, firstname: longText(), lastname: longText() }
  const payload = { ...visit, organizationId: longText(), employeeId: longText(), contact }
  const ingrid = await logInAs(running.service, accounts.ingrid)
  expect((await confirmLink(ingrid, running, payload)).status).toBe(200)
  const postContact = async (changed: Partial<typeof contact>) =>
    (
      await readBoot(
        await post(running, await sign(running, { ...payload, contact: { ...contact, ...changed } })),
      )
    ).contact
  const known = await postContact({})
  expect(known).toMatchObject({ kind: 'selected' })
  expect(await postContact({ id: longText() })).toEqual(known)
  expect(await postContact({ id: alike(id), ssn: alike(ssn) })).toMatchObject({ kind: 'created' })
  const userId = Number(known?.contactId)
  for (const filter of [
    { customId: id },
    { text: contact.lastname.split(/[-_]/).toSorted((a, b) => b.length - a.length)[0] },
  ])
    expect((await ingrid.ask('POST', '/api/persons/search', filter)).body.persons).toContainEqual(
      expect.objectContaining({ userId }),
    )
  expect((await ingrid.ask('GET', `/api/persons/${userId}`)).body.person).toMatchObject({ customId: id, ssn })
  const another = { ...payload, employeeId: alike(payload.employeeId) }
  expect((await readBoot(await post(running, await sign(running, another)))).kind).toBe('log-in')
})
