import { z } from 'zod'

const maxUrlLength = 2048
const maxDataUrlLength = 65_536

// A drawing or photograph that the browser shows as an image: no script of an SVG runs there.
const imageDataUrl =
  /^data:image\/(?:png|svg\+xml|jpeg|webp)(?:;charset=utf-8)?(?:;base64)?,[\w!$&'()*+,;=:@/?.~%-]*$/

/** See `PartnerAppearance`: what a page may put into an image, a style or a class without looking at it again. */
export const appearanceSchema = z.strictObject({
  displayName: z.string().trim().min(1).max(256).exactOptional(),
  logoUrl: z
    .string()
    .max(maxDataUrlLength)
    .refine(isLogoUrl, {
      error: 'must be an https URL, or a data URL of a PNG, SVG, JPEG or WebP image',
    })
    .exactOptional(),
  color: z
    .string()
    .regex(/^#[\da-f]{6}$/i, { error: 'must be written #rrggbb' })
    .exactOptional(),
  landingView: z
    .string()
    .regex(/^[a-z][a-z\d-]{0,31}$/, { error: 'must be 1 to 32 lower-case letters, digits and hyphens' })
    .exactOptional(),
})

/** An origin as browsers write it: it goes into a header, among other sources. */
export const frameOriginSchema = z.string().max(256).refine(isFrameOrigin, {
  error: 'must be an origin without a path, such as https://journal.example; http for this machine only',
})

function isLogoUrl(text: string): boolean {
  if (text.startsWith('data:')) return imageDataUrl.test(text)
  if (text.length > maxUrlLength || !URL.canParse(text)) return false
  const url = new URL(text)
  if (url.protocol !== 'https:' || url.href !== text || !isPlainHost(url)) return false
  return url.username === '' && url.password === ''
}

function isFrameOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.origin !== text || !isPlainHost(url)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))
}

/** The parser of addresses lets a host hold characters, such as `;` and `*`, that mean something else in a header. */
function isPlainHost({ hostname }: URL): boolean {
  return /^(?:[\w.-]+|\[[\da-f:]+\])$/.test(hostname)
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '127.0.0.1'
}
