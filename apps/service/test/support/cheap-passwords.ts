import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// The log-in library hashes each password for a tenth of a second. Tests log in by the hundred, so their services hash at
// the lowest cost, in every process.
const { scrypt } = crypto
crypto.scrypt = Object.assign(
  (
    password: crypto.BinaryLike,
    salt: crypto.BinaryLike,
    length: number,
    _options: unknown,
    done: (error: Error | null, key: Buffer) => void,
  ) => scrypt(password, salt, length, { N: 2 }, done),
  scrypt,
)
syncBuiltinESMExports()
