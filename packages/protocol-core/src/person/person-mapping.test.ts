import { describe, expect, test } from 'vitest'
import { bytesOf, loadVectors, thrownBy } from '../../test/support/vectors.ts'
import { decodeRequest } from '../envelope/request-envelope.ts'
import { ArgsError } from '../errors/command-error.ts'
import { readBy } from '../schema/read.ts'
import { parseClassicCommand } from '../session/parse-request.ts'
import { contactSchema, personFromContact } from './payload.ts'

const vectors = loadVectors<
  { readonly culture?: string; readonly pipe?: object; readonly partnerLink?: object },
  object,
  { readonly code: string; readonly paths: Readonly<Record<string, readonly string[]>> }
>('person-mapping.json')

describe('person-mapping.json', () => {
  for (const { id, name, input, expect: person, error } of vectors) {
    const { culture = 'nb-NO', pipe, partnerLink } = input
    if (pipe)
      test(`[4.5-selectperson] the pipe’s spelling: ${name} (${id})`, () => {
        const body = bytesOf({ body: JSON.stringify(pipe) })
        const parse = () => parseClassicCommand(decodeRequest(body), { culture })
        if (!error) return expect(parse()).toEqual({ name: 'selectperson', args: person })
        const thrown = thrownBy(parse)
        expect(thrown).toMatchObject({ code: error.code })
        expect(thrown instanceof ArgsError && thrown.issues.map(({ path }) => path)).toEqual(error.paths.pipe)
      })
    if (partnerLink)
      test(`[2.1-contact] the contact’s spelling: ${name} (${id})`, () => {
        const { value, issues = [] } = readBy(contactSchema, partnerLink)
        if (!error) return expect(value && personFromContact(value)).toEqual(person)
        const paths = issues.map(({ path }) => `contact.${path}`)
        expect(paths).toEqual(error.paths.partnerLink)
      })
  }
})
