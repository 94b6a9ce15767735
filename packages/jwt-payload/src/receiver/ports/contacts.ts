import type { Person } from '@service-link/protocol-core'
import type { OrganizationKey } from './delivery.ts'

/** A contact that may be meant; what a person needs to tell it from others. */
export interface ContactCandidate {
  readonly contactId: string
  readonly firstname?: string
  readonly lastname?: string
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string
}

/** What became of the person in focus. */
export type ContactMatch =
  | { readonly kind: 'selected'; readonly contactId: string }
  | { readonly kind: 'created'; readonly contactId: string }
  /**
   * The web app lets the user choose, also when there is one candidate only: CustomId is not unique in the service, or the
   * only contact found contradicts what was sent. Nothing was written.
   */
  | { readonly kind: 'choose'; readonly candidates: readonly ContactCandidate[] }

/** The contacts of the service. */
export interface ContactBook {
  /**
   * Finds the contact by (organization, `customId`), then by (organization, `ssn`, as `normalizeIdentityNumber` compares
   * it); creates it when neither finds one. Several found by the first that finds any: `choose`. So too when the only one
   * has another identity number or date of birth than was sent (see `contradicts`): with it, and with whoever has the
   * identity number. The data sent fill fields that are empty and never overwrite. Two calls at once for one person must
   * not create two contacts.
   *
   * Which contacts belong to an organization is the service's matter: the account's organization may hold those of several
   * partners, whose CustomIds can then be the same by mistake.
   */
  put(
    organization: OrganizationKey,
    person: Person,
    context: { readonly accountId: string; readonly organizationName: string | undefined },
  ): Promise<ContactMatch>
}
