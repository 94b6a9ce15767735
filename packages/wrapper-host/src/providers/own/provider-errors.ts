import { type ArgsIssue, ServiceLinkError } from '@service-link/protocol-core'

const maxSentenceLength = 500

/** An own provider refused the launch, in its own words. */
export class ProviderRefusalError extends ServiceLinkError<'ERR_PROVIDER_REFUSED'> {
  readonly code = 'ERR_PROVIDER_REFUSED'

  /** @param sentence of the provider; one line of at most 500 characters is kept */
  constructor(sentence: string) {
    const line = String(sentence)
      .replaceAll(/\p{C}+/gu, ' ')
      .trim()
      .slice(0, maxSentenceLength)
    super(line.toWellFormed() || 'The provider refused the launch.')
  }
}

/** An own provider threw something of its own. What it threw may name persons, so nothing of it is repeated. */
export class ProviderFailedError extends ServiceLinkError<'ERR_PROVIDER_FAILED'> {
  readonly code = 'ERR_PROVIDER_FAILED'

  constructor() {
    super(
      'The provider of the launch failed. It is not part of the wrapper: whoever wrote it can tell why. A provider refuses a launch with its own words by `throw context.refusal(sentence)`.',
    )
  }
}

/** What an own provider returned is not what a provider returns. Nothing of it was carried out. */
export class ProviderResultError extends ServiceLinkError<'ERR_PROVIDER_RESULT'> {
  readonly code = 'ERR_PROVIDER_RESULT'
  /** Everything that was found; no values. */
  readonly issues: readonly ArgsIssue[]

  constructor(issues: readonly ArgsIssue[]) {
    const [first] = issues
    super(
      `What the provider of the launch returned cannot be carried out: ${first?.path || 'the result'} ${first?.problem ?? 'is not known'}.`,
    )
    this.issues = issues
  }
}

/** A name of `createWrapper({ providers })` is no type name, a built-in one, or given twice. */
export class ProviderNameError extends ServiceLinkError<'ERR_PROVIDER_NAME'> {
  readonly code = 'ERR_PROVIDER_NAME'
}

/** What is wrong with a module in the folder `providers`. */
export type ProviderModuleFault = 'not-a-file' | 'access' | 'load' | 'export'

/** A module in the folder `providers` that a launch names cannot be used. */
export class ProviderModuleError extends ServiceLinkError<'ERR_PROVIDER_MODULE'> {
  readonly code = 'ERR_PROVIDER_MODULE'
  readonly fault: ProviderModuleFault

  /**
   * @param subject what is at fault, by its place in the application root, such as `providers/Acme.Journal.mjs`
   * @param problem a clause, and what to do as a sentence after it
   */
  constructor(fault: ProviderModuleFault, subject: string, problem: string) {
    super(`${subject} ${problem}`)
    this.fault = fault
  }
}
