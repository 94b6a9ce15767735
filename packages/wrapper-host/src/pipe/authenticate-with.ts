import { createHmac } from 'node:crypto'

/** How a text is authenticated under the key of the pipe: HMAC-SHA256, as base64url without padding (design: pipe protocol). */
export function authenticateWith(key: Uint8Array): (text: string) => string {
  return text => createHmac('sha256', key).update(text).digest('base64url')
}
