// What a program that starts the service needs; its inside is its own. `testing` and `test-kit` are for demos and tests.
export { buildPages } from './build/build-pages.ts'
export { AddressTakenError, listen } from './http-server/listen.ts'
export type { Api } from './server/create-app.ts'
export { type CreateServiceOptions, createService, type Service } from './server/create-service.ts'
export { type DemoAccount, demoAccounts } from './server/demo-data.ts'
export { createLogger } from './server/http/logger.ts'
export { callbackPath } from './server/my/log-in-routes.ts'
export { payloadPath } from './server/partner-link/partner-link.ts'
