import file from '@service-link/protocol-vectors/person-mapping.json' with { type: 'json' }
import { describe, expect, test } from 'vitest'
import { parseClassicRequest } from '../envelope/classic-request.ts'
import { contactSchema, personFromContact } from '../record/contact.ts'

describe('person-mapping.json', () => {
  for (const { name, person, input } of file.vectors) {
    const { pipe, partnerLink } = input
    if (pipe)
      test(`[4.5-selectperson] the pipe’s spelling becomes the one person: ${name}`, () => {
        const body = new TextEncoder().encode(JSON.stringify(pipe))
        expect(parseClassicRequest(body, { culture: 'nb-NO' })).toEqual({
          name: 'selectperson',
          args: person,
        })
      })
    if (partnerLink)
      test(`[2.1-contact] the contact’s spelling becomes the one person: ${name}`, () => {
        expect(personFromContact(contactSchema.parse(partnerLink))).toEqual(person)
      })
  }
})
