/**
 * What a partner's tokens must carry. `strict`: `exp` and `iat` at most 5 minutes apart, `aud`, and a `jti` that is used
 * once. `lenient`: none of them has to be there, those that are there are checked, and each token is used once by its
 * digest.
 */
export type PayloadPolicy = 'strict' | 'lenient'
