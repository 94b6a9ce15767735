/**
 * Node's own crypto; `undefined` in every other runtime, also in those that imitate a part of it. It answers at once: WebCrypto works
 * in another thread, and the way there and back takes longer than most signatures and every digest.
 */
export const nodeCrypto = globalThis.navigator?.userAgent?.startsWith('Node.js/')
  ? globalThis.process?.getBuiltinModule?.('node:crypto')
  : undefined
