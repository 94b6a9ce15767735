import { recordSecret, type SecretKind } from './_record.ts'

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
