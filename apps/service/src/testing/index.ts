// For demos and tests. It needs no test runner; `test-kit` does.
export { createPartnerKey, type PartnerKey } from './partner-key.ts'
export { locationOf, Visitor } from './visitor.ts'
