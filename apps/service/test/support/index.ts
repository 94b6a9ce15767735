// What tests of the demo share with the service's own: started services, browsers, posts.

export { transactionSeal } from '../../src/server/my/log-in-routes.ts'
export type { ClientProof, EIdIssuerSettings, EIdSettings } from '../../src/server/operations/settings.ts'
export { readAuthSecret } from '../../src/server/operations/settings.ts'
export { accounts, testAccounts } from './accounts.ts'
export { axeProblems, expectAccessible, hasBrowser, linkOn, logInOn, newPage } from './browser.ts'
export { keepLog } from './log.ts'
export { post, readBoot, sign, visit } from './post.ts'
export { type ApiClient, logInAs, query, type RunningService, startService } from './service.ts'
