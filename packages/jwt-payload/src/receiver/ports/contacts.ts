import type { Person } from '@service-link/protocol-core'
import type { OrganizationKey } from './delivery.ts'

/** One of several contacts that fit; what a person needs to tell them apart. */
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
  /** CustomId is not unique in the service: the web app lets the user choose. Nothing was written. */
  | { readonly kind: 'choose'; readonly candidates: readonly ContactCandidate[] }

/** The contacts of the service. */
export interface ContactBook {
  /**
   * Finds the contact by (organization, `customId`), then by (organization, `ssn`); creates it when neither finds one.
   * Several found by the first that finds any: `choose`. The data sent fill fields that are empty and never overwrite.
   * Two calls at once for one person must not create two contacts.
   */
  put(
    organization: OrganizationKey,
    person: Person,
    context: { readonly accountId: string; readonly organizationName: string | undefined },
  ): Promise<ContactMatch>
}
