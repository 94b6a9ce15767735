import { ServiceLinkError } from '@service-link/protocol-core'

/** Which step of packing failed. */
export type PackStep = 'node' | 'program' | 'executable' | 'folder' | 'sign' | 'installer'

/** A program could not be packed. Nothing half made is left, or the message says where. */
export class PackError extends ServiceLinkError<'ERR_PACK'> {
  readonly code = 'ERR_PACK'
  readonly step: PackStep

  /** @param problem a sentence, or several, that also say what to do */
  constructor(step: PackStep, problem: string) {
    super(problem)
    this.step = step
  }
}
