import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { describePacked, folder } from './packed.ts'

/** A program of a partner. The editor is asked for the name behind each mark. */
const program = `
import type { PayloadClaims, /**/Person, User, Workout } from '@service-link/protocol-core'
import type { PageOutcome, PartnerRegistration, ReceiverOptions } from '@service-link/receiver'
import { connectHost } from '@service-link/wrapper-host/page'
declare const [person, user, workout]: [Person, User, Workout]
declare const [payload, partner]: [PayloadClaims, PartnerRegistration]
console.log(person./**/dateOfBirth, user./**/customId, workout./**/exercises, payload.contact./**/birthdate)
console.log(partner./**/contactIdIsSsn)
declare const [options, outcome]: [ReceiverOptions, PageOutcome & { kind: 'signed-in' }]
console.log(options./**/partners, options./**/sessions, options./**/renderPage, outcome./**/contact)
connectHost({ openWorkout({ /**/id }) {} })
`

const shown = {
  Person: /^The person in focus/,
  dateOfBirth: /^Date of birth, YYYY-MM-DD\.$/,
  customId: /^Id of the person in the partner’s system; not unique\.$/,
  exercises: /^Its exercises/,
  birthdate: /^Date of birth, YYYY-MM-DD\.$/,
  contactIdIsSsn: /^Whether its `contact.id` is the person's national identity number/,
  partners: /createPartnerDirectory/,
  sessions: /createMemorySessions/,
  renderPage: /renderBootPage/,
  contact: /^The contact to show/,
  id: /^An id returned by getworkoutsforclient/,
}

describePacked('an editor', () => {
  const file = join(folder, 'hover.mts')
  const { options } = ts.convertCompilerOptionsFromJson(
    { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], typeRoots: ['types-20'], strict: true },
    folder,
  )
  const read = (name: string) => (name === file ? program : readFileSync(name, 'utf8'))
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    realpath: name => ts.sys.realpath?.(name) ?? name,
    getCompilationSettings: () => options,
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptSnapshot: name =>
      name === file || ts.sys.fileExists(name) ? ts.ScriptSnapshot.fromString(read(name)) : undefined,
    getScriptVersion: () => '',
  })

  test('shows what each field of a type holds', () => {
    const told = [...program.matchAll(/\/\*\*\/(\w+)/g)].map(({ index, 1: name = '' }) => {
      const info = service.getQuickInfoAtPosition(file, index + 4)
      return [name, ts.displayPartsToString(info?.documentation)]
    })
    expect(service.getSemanticDiagnostics(file)).toEqual([])
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(Object.entries(shown).map(([name, text]) => [name, expect.stringMatching(text)])),
    )
  })
})
