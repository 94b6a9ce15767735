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
   * The web app lets the user choose, also when there is one candidate only: several contacts fit, or the only one found
   * contradicts what was sent. Nothing was written.
   */
  | { readonly kind: 'choose'; readonly candidates: readonly ContactCandidate[] }

/** The contacts of the service. */
export interface ContactBook {
  /**
   * Finds the contact in the service's organization of the account, by the first of these that finds any:
   *
   * 1. the partner and its `customId`;
   * 2. the `ssn`, as `comparableSsn` compares it, whichever partner sent it;
   * 3. a `customId` whose partner is not known, with the same name (see `hasSameName`).
   *
   * Otherwise it is created. A `customId` of one partner never finds a contact that has it from another partner. From then
   * on the partner and its `customId` find the contact, beside the ids of other partners.
   *
   * Several found: `choose`. So too when the only one contradicts what was sent (see `contradicts`): with it, and with
   * every contact that has the identity number. The data sent fill fields that are empty and never overwrite. Two calls at
   * once for one person must not create two contacts.
   */
  put(
    organization: OrganizationKey,
    person: Person,
    context: { readonly accountId: string; readonly organizationName: string | undefined },
  ): Promise<ContactMatch>
}
