import type { Adapter, AdapterPayload } from 'oidc-provider'

/** Most records that are kept; the oldest go first, so that visitors cannot fill the memory. */
const maxRecords = 10_000

interface Kept {
  readonly payload: AdapterPayload
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/**
 * Makes the issuer's store: codes, sessions and clients in memory, one store an issuer. The library's own memory is one for
 * the whole process.
 */
export function createMemoryStore(): (model: string) => Adapter {
  const records = new Map<string, Kept>()
  const dropWhere = (isDropped: (kept: Kept, key: string) => boolean) => {
    for (const [key, kept] of records) if (isDropped(kept, key)) records.delete(key)
  }
  return model => {
    const keyOf = (id: string) => `${model}:${id}`
    const find = (id: string) => {
      const kept = records.get(keyOf(id))
      return kept && kept.expiresAt > Date.now() ? kept.payload : undefined
    }
    const findBy = (field: 'uid' | 'userCode', value: string) => {
      for (const [key, { payload, expiresAt }] of records)
        if (key.startsWith(`${model}:`) && payload[field] === value && expiresAt > Date.now()) return payload
      return undefined
    }
    return {
      async upsert(id, payload, expiresIn) {
        dropWhere(({ expiresAt }) => expiresAt <= Date.now())
        const [oldest] = records.keys()
        if (records.size >= maxRecords && oldest !== undefined) records.delete(oldest)
        const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1000
        records.set(keyOf(id), { payload, expiresAt })
      },
      find: async id => find(id),
      findByUid: async uid => findBy('uid', uid),
      findByUserCode: async userCode => findBy('userCode', userCode),
      async consume(id) {
        const payload = find(id)
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        records.delete(keyOf(id))
      },
      async revokeByGrantId(grantId) {
        // Of this model only: a log-in that goes on names the grant that it takes the place of.
        dropWhere(({ payload }, key) => key.startsWith(`${model}:`) && payload.grantId === grantId)
      },
    }
  }
}
