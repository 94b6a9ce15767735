import { appendFileSync, mkdirSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Kinds of output that may hold no secret. */
export type RecordedText = 'log' | 'error answer' | 'audit row'

/** Databases and surroundings of the tested services. */
export type RecordedPart = 'embedded database' | 'PostgreSQL' | 'browser'

/** Kinds of secrets. */
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
 * Folder of this test run. Each process records its services' texts and secrets there, and a final test compares them.
 * Unset outside of a run: nothing is recorded.
 */
const folderOfRun = () => process.env.SERVICE_TEST_RECORD

/** Makes a folder that is removed after the run, because a worker is killed before it could remove the folder itself. */
export async function makeFolderOfRun(prefix: string): Promise<string> {
  const parent = folderOfRun() ?? tmpdir()
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, prefix))
}

const known = new Set<string>()

/** Records a text. */
export function recordText(kind: RecordedText, text: string): void {
  append('texts', { kind, text })
}

/** Records a condition of the tests. */
export function recordPart(part: RecordedPart): void {
  append('parts', { part })
}

/** Records a secret, once per process and run. */
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

/** Records every secret in a JSON value, including those in the claims of its tokens. */
export function recordSecretsIn(value: unknown): void {
  if (Array.isArray(value)) for (const element of value) recordSecretsIn(element)
  else if (typeof value === 'object' && value !== null)
    for (const [member, content] of Object.entries(value)) recordMember(member, content)
}

/** Records the secrets of a form or a query. */
export function recordSecretsOfForm(form: URLSearchParams): void {
  for (const [member, content] of form) recordMember(member, content)
}

/** Records the secrets in a text that is JSON. */
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
