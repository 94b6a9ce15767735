import {
  importPartner,
  type Partner,
  type PartnerRegistration,
  partnerRegistrationSchema,
} from '@service-link/jwt-payload/receiver'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { PartnerRegistrationError } from './partner-registration-error.ts'

/**
 * Imports the keys of registrations that are to be put in force.
 *
 * @param isKnown whether a partner's certificate, by its SHA-256 thumbprint, was registered before: it may have expired since
 * @throws {PartnerRegistrationError} when a registration has another shape, two have one id, or a key is damaged, weak, or new
 * and not valid now
 */
export async function importRegistrations(
  registrations: readonly PartnerRegistration[],
  now: Date,
  isKnown: (partnerId: string, thumbprint: string) => boolean,
): Promise<readonly Partner[]> {
  const ids = new Set<string>()
  const partners: Partner[] = []
  for (const registration of registrations) {
    const partner = await importOne(registration)
    if (ids.has(partner.id))
      throw new PartnerRegistrationError(
        `Partner ${partner.id} is registered twice. Give each an id of its own.`,
      )
    ids.add(partner.id)
    assertValid(partner, now, thumbprint => isKnown(partner.id, thumbprint))
    partners.push(partner)
  }
  return partners
}

async function importOne(registration: PartnerRegistration): Promise<Partner> {
  try {
    // Whether it is valid counts where it is new.
    return await importPartner(registration, { validity: 'use' })
  } catch (error) {
    if (!(error instanceof ServiceLinkError)) throw error
    // An id of another shape is text that nobody checked.
    const id = partnerRegistrationSchema.shape.id.safeParse(registration.id)
    throw new PartnerRegistrationError(`Partner ${id.data ?? 'without a proper id'}: ${error.message}`)
  }
}

function assertValid(partner: Partner, now: Date, isKnown: (thumbprint: string) => boolean): void {
  for (const [index, { certificate }] of partner.keys.entries()) {
    if (!certificate || isKnown(certificate.thumbprint)) continue
    const { notBefore, notAfter, thumbprint } = certificate
    if (now >= notBefore && now <= notAfter) continue
    const state =
      now < notBefore
        ? `is not valid before ${notBefore.toISOString()}`
        : `expired at ${notAfter.toISOString()}`
    throw new PartnerRegistrationError(
      `Partner ${partner.id}: the certificate keys.${index}, SHA-256 thumbprint ${thumbprint}, ${state}. Register one that is valid now.`,
    )
  }
}
