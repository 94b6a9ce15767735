import { z } from 'zod'

/** A JSON Web Key (RFC 7517, 4) as far as it is read before WebCrypto imports it. */
export const jwkSchema = z.looseObject({
  kty: z.string(),
  kid: z.string().exactOptional(),
  alg: z.string().exactOptional(),
  use: z.string().exactOptional(),
  key_ops: z.array(z.string()).exactOptional(),
})
