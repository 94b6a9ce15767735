import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildArguments, quotePosixShell } from '@service-link/cli-args'
import { defaultBrand } from '@service-link/protocol-core'
import { buildXmlInput } from '@service-link/xml-input'
import pc from 'picocolors'
import type { PartnerKey } from '../partner/create-partner.ts'
import { clinic, employees, patients } from '../partner/patients.ts'
import seedPersons from './seed-persons.json' with { type: 'json' }
import type { MadeWrapperFolders } from './wrapper-folders.ts'

type ShellLines = typeof posix

const isPlain = (text: string) => /^[\w=./:-]+$/.test(text)

const posix = {
  name: 'terminal',
  quote: (text: string) => (isPlain(text) ? text : quotePosixShell([text])),
  set: (environment: Readonly<Record<string, string>>) =>
    `export ${Object.entries(environment)
      .map(([name, value]) => `${name}=${quotePosixShell([value])}`)
      .join(' ')}`,
  /** Runs a command and saves its output in a file of this user only. If it succeeds, runs the second command. */
  pipeByFile: (first: string, file: string, second: string) =>
    `(umask 077; ${first} > ${quotePosixShell([file])}) && ${second}`,
}

const quotePowerShell = (text: string) => `'${text.replaceAll("'", "''")}'`

const powerShell: typeof posix = {
  name: 'PowerShell window',
  quote: text => (isPlain(text) ? text : quotePowerShell(text)),
  set: environment =>
    Object.entries(environment)
      .map(([name, value]) => `$env:${name}=${quotePowerShell(value)}`)
      .join('; '),
  pipeByFile: (first, file, second) =>
    `${first} | Out-File -Encoding ascii ${quotePowerShell(file)}; if ($?) { ${second} }`,
}

export function shellLines(platform: NodeJS.Platform = process.platform): ShellLines {
  return platform === 'win32' ? powerShell : posix
}

interface ThingsToTryOptions {
  readonly folder: string
  readonly folders: MadeWrapperFolders
  readonly serviceUrl: string
  readonly partnerKey: PartnerKey
  readonly shell?: ShellLines
}

export const tryPersons = [
  { customId: '1001', firstname: 'Kari', lastname: 'Nordmann', dateOfBirth: '1984-02-29' },
  { customId: '1002', firstname: 'Ola', lastname: 'van Dyk', dateOfBirth: '1980-04-03' },
] as const
const [kari, ola] = tryPersons

/** Writes the files for trying the wrapper, and returns the lines to print. */
export async function prepareThingsToTry(options: ThingsToTryOptions): Promise<string> {
  const { folder, folders, shell = shellLines() } = options
  const xml = join(folder, 'person.xml')
  await writeFile(xml, buildXmlInput({ person: ola, queryExercises: 'knee', deleteAfterRead: false }))
  const profile = join(folder, 'profile-data.json')
  await writePrivate(profile, JSON.stringify(seedPersons[0]?.profileData))
  const { providers } = defaultBrand
  const wrapper = (...args: readonly string[]) => `npm run wrapper -- ${args.map(shell.quote).join(' ')}`
  const groups: readonly (readonly [string, ...string[]])[] = [
    ['a person by arguments', wrapper(...buildArguments({ person: kari }))],
    ['a search', wrapper(...buildArguments({ queryExercises: 'squat' }))],
    ['an XML file', wrapper(xml, `provider=${providers.legacyXml}`)],
    [
      'the pipe',
      `npm run pipe -- selectperson customid=1001 firstname=Kari lastname=Nordmann dateofbirth=1984-02-29 ${shell.quote(`profiledata=@${profile}`)}`,
      'npm run pipe -- getlistofusers',
    ],
    [
      'what happens in the wrapper, a line for each event, until Ctrl+C; and who is in focus',
      'npm run --silent pipe -- watch',
      'npm run --silent pipe -- status',
    ],
    [
      'an integrator’s own provider, from wrapper-root/providers',
      wrapper('provider=Acme.Journal.Component, Acme.Journal', 'acme://exercises?text=knee'),
    ],
    [
      'a patient of the journal, signed, in the wrapper’s window; the first one asks for a log-in and a yes',
      await partnerLinkLine(options, shell),
    ],
    ['what it goes by, and whether all is well', 'npm run wrapper -- settings', 'npm run wrapper -- doctor'],
    ['its end', 'npm run pipe -- close'],
  ]
  return `in another ${shell.name} of this folder, first:

  ${shell.set(folders.environment)}

${groups.map(([title, ...lines]) => `${pc.dim(`# ${title}`)}\n  ${lines.join('\n  ')}`).join('\n')}

Its icon is in the notification area: Show, Sign out, Close. Its log: ${join(folders.data, 'logs', 'wrapper.log')}`
}

/** Writes the journal's key beside the wrapper's folders. The demo removes it at its end. */
async function partnerLinkLine(options: ThingsToTryOptions, { quote, pipeByFile }: ShellLines) {
  const { folder, partnerKey, serviceUrl } = options
  const { signing, issuer } = partnerKey
  if (signing.kind !== 'jwk') throw new TypeError('The demo’s partner has a JSON Web Key.')
  const key = join(folder, 'journal-key.json')
  await writePrivate(key, JSON.stringify(signing.jwk))
  const claims = join(folder, 'journal-visit.json')
  await writePrivate(claims, JSON.stringify({ ...clinic, ...employees[0], contact: patients[0] }))
  const payload = join(folder, 'payload.jwt')
  const words = [
    `--key=${key}`,
    `--kid=${signing.kid}`,
    `--issuer=${issuer}`,
    `--audience=${serviceUrl}/partner/payload`,
    `--claims=${claims}`,
  ]
  return pipeByFile(
    `npm run --silent payload -- sign ${words.map(quote).join(' ')}`,
    payload,
    `npm run wrapper -- ${quote(`payload=@${payload}`)}`,
  )
}

async function writePrivate(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 })
  await chmod(file, 0o600)
}
