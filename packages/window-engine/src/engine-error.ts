import { defineError } from '@service-link/protocol-core/errors'

/** Fault of an engine. */
export type EngineFault =
  /** No such engine, or no browser or display. */
  | 'not-available'
  /** A policy keeps the browser from drawing the window. */
  | 'forbidden'
  /** It was started and ended before its window could be used. */
  | 'did-not-start'
  /** The folder for its files cannot be made or written. */
  | 'profile-unusable'
  /** Its processes have ended, but some of its files could not be removed. */
  | 'data-left'
  /** The address cannot be opened. */
  | 'navigation'
  /** The engine's processes are gone. */
  | 'gone'
  /** The engine refused: its page has crashed, goes away or does not take this. */
  | 'refused'
  /** It did not answer in time. */
  | 'timeout'

/**
 * An engine could not open a window, or a window could not carry out a call.
 *
 * @remedy Do what the message advises: install a browser, start on a desktop, have the policy lifted, or give the user the
 * folder of the profile. `fault` names the reason.
 * @retry once the cause is gone; at once for `did-not-start` and `timeout`
 * @seenBy administrator, user, integrator
 */
export class EngineError extends defineError(
  'ERR_ENGINE',
  (fault: EngineFault, message: string, policies: string = '') => ({
    message,
    fault,
    /** With `forbidden`: the policies, each with its file or registry key; empty if none was found. */
    policies,
  }),
) {}

const callProblems = {
  'no-listener': 'The page takes no calls: it has not connected to the host.',
  'foreign-origin': 'The page shown is of another origin and takes no calls.',
  // The page's error is not passed on: it may hold personal data.
  rejected: 'The page’s function failed.',
  navigated: 'The page went away before it answered.',
  crashed: 'The page has crashed. Reload it.',
  closed: 'The window is closed.',
  timeout: 'The page did not answer in time.',
  'too-large': 'The page’s answer is too long.',
} as const

/** Why a call into the page was not answered. */
export type PageCallFault = keyof typeof callProblems

/**
 * A call into the page without an answer. Never holds words of the page.
 *
 * @remedy Show the web app and reload it. With `no-listener` its page must call `connectHost`.
 * @retry yes for `navigated`, `crashed` and `timeout`
 * @seenBy integrator
 */
export class PageCallError extends defineError('ERR_PAGE_CALL', (fault: PageCallFault) => ({
  message: callProblems[fault],
  fault,
})) {}
