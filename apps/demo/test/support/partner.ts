import type { RunningService } from '@service-link/service/test-kit'
import { createPartner, type Partner } from '../../src/journal/create-partner.ts'
import type { ServiceAnswers } from '../../src/launcher/service-answers.ts'

/** Starts the partner application for a service. */
export function startPartner({ service, key }: RunningService, answers?: ServiceAnswers): Promise<Partner> {
  const { url: serviceUrl, replacePartners } = service
  return createPartner({ serviceUrl, key, port: 0, replacePartners, answers })
}
