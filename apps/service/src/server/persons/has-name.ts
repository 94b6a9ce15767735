import { comparableName } from '@service-link/protocol-core/person'

/** Whether a patient has a name that people can see. */
export function hasName({
  firstname,
  middlename,
  lastname,
}: { readonly [Part in 'firstname' | 'middlename' | 'lastname']?: string | undefined }): boolean {
  return [firstname, middlename, lastname].some(part => part && comparableName(part) !== '')
}
