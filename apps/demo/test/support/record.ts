import { appendFileSync, mkdirSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the service wrote where no secret may be. */
export type RecordedText = 'log' | 'error answer' | 'audit row'

/** What the tests of a service were run with. */
export type RecordedPart = 'embedded database' | 'PostgreSQL' | 'browser'

/** What must not be in it. */
export type SecretKind =
  | 'token'
  | 'name'
  | 'ssn'
  | 'e-mail'
  | 'phone'
  | 'handle'
  | 'cookie'
  | 'password'
  | 'employee'

/**
 * Folder of this run of the tests, in which each process of a test leaves what its services wrote and which secrets they were
 * given, for the test that compares the two after all others. Not set outside of a run: then nothing is left.
 */
const folderOfRun = () => process.env.SERVICE_TEST_RECORD

/** Makes a folder that is removed after the run, because a worker is ended without a chance to remove its own. */
export async function makeFolderOfRun(prefix: string): Promise<string> {
  const parent = folderOfRun() ?? tmpdir()
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, prefix))
}

const known = new Set<string>()

/** Leaves a text. */
export function recordText(kind: RecordedText, text: string): void {
  append('texts', { kind, text })
}

/** Leaves that tests were run with this. */
export function recordPart(part: RecordedPart): void {
  append('parts', { part })
}

/** Leaves a secret, once a process and run. */
export function recordSecret(kind: SecretKind, value: string): void {
  const key = `${folderOfRun()} ${kind} ${value}`
  if (known.has(key)) return
  known.add(key)
  append('secrets', { kind, value })
}

function append(file: 'texts' | 'secrets' | 'parts', line: object): void {
  const folder = folderOfRun()
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  appendFileSync(join(folder, `${file}-${process.pid}.jsonl`), `${JSON.stringify(line)}\n`)
}

/** Members of requests, claims and pages whose values are secrets or personal data. */
const kindOfMember: Readonly<Record<string, SecretKind>> = {
  payload: 'token',
  handle: 'handle',
  code: 'handle',
  state: 'handle',
  password: 'password',
  ssn: 'ssn',
  identitynumber: 'ssn',
  email: 'e-mail',
  employeeemail: 'e-mail',
  mobile: 'phone',
  employeemobile: 'phone',
  firstname: 'name',
  middlename: 'name',
  lastname: 'name',
  employeefirstname: 'name',
  employeelastname: 'name',
  employeeusername: 'name',
  employeeid: 'employee',
}

/** Records every secret in a value of JSON, and those in the claims of its tokens. */
export function recordSecretsIn(value: unknown): void {
  if (Array.isArray(value)) for (const element of value) recordSecretsIn(element)
  else if (typeof value === 'object' && value !== null)
    for (const [member, content] of Object.entries(value)) recordMember(member, content)
}

/** Records the secrets of a form or a query. */
export function recordSecretsOfForm(form: URLSearchParams): void {
  for (const [member, content] of form) recordMember(member, content)
}

/** Records the secrets in a text of JSON, where it is one. */
export function recordSecretsOfJson(text: string): void {
  try {
    recordSecretsIn(JSON.parse(text))
  } catch {}
}

function recordMember(member: string, content: unknown): void {
  if (typeof content !== 'string') {
    recordSecretsIn(content)
    return
  }
  const kind = kindOfMember[member.toLowerCase()]
  if (kind !== undefined && content !== '') recordSecret(kind, content)
  if (kind === 'token') recordSecretsOfJson(Buffer.from(content.split('.')[1] ?? '', 'base64url').toString())
}
