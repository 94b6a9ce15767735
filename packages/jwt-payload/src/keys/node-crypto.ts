/** Whether this runtime is Node, and not one that imitates a part of it. */
export const isNode = globalThis.navigator?.userAgent?.startsWith('Node.js/') === true

/**
 * Node's own crypto; `undefined` in every other runtime. It answers at once: WebCrypto works in another thread, and the way there and
 * back takes longer than most signatures and every digest.
 */
export const nodeCrypto = isNode ? globalThis.process?.getBuiltinModule?.('node:crypto') : undefined

/** Node's own crypto for digests; `undefined` in every other runtime. Its type needs no types of Node. */
export const nodeDigests:
  | { hash(algorithm: 'sha256', text: string, encoding: 'base64url'): string }
  | undefined = nodeCrypto
