import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { contentSecurityPolicy } from './content-security-policy.ts'

/** Headers of the API and the web app. */
export function securityHeaders(publicUrl: string) {
  const isHttps = publicUrl.startsWith('https:')
  const setHeaders = secureHeaders({
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    strictTransportSecurity: isHttps ? 'max-age=31536000' : false,
  })
  return createMiddleware(async (c, next) => {
    await setHeaders(c, next)
    c.header('content-security-policy', contentSecurityPolicy())
  })
}
