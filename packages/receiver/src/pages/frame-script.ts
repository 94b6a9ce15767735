import { type FrameMessage, writeFrameMessage } from '@service-link/protocol-core/embedding'

/**
 * A script that tells the partner's page around a frame. Only a page of one of the origins gets the message: the browser compares them,
 * too.
 *
 * @param origins the partner's `frameOrigins`
 */
export function frameScript(message: FrameMessage, origins: readonly string[]): string {
  const [sent, allowed] = [writeFrameMessage(message), origins].map(value => JSON.stringify(value))
  // Without the filter, which some browsers lack, each other origin is an error on the console.
  return `const [own]=location.ancestorOrigins??[];for(const origin of ${allowed})if(!own||own===origin)parent.postMessage(${sent},origin);`
}

/** The element of a page's only script; empty without one. */
export function scriptElement(script: string, nonce: string): string {
  return script && `<script nonce="${nonce}">${script.replace(/</g, '\\u003c')}</script>`
}
