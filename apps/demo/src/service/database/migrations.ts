import type { Migration } from 'kysely/migration'
import { addEmployeeDigests } from './add-employee-digests.ts'
import { addExpiryIndexes } from './add-expiry-indexes.ts'
import { addLinkColumns } from './add-link-columns.ts'
import { addPersonKeys } from './add-person-keys.ts'
import { addSessionLinks } from './add-session-links.ts'
import { bindPartnerOrganizations } from './bind-partner-organizations.ts'
import { createAuthTables } from './create-auth-tables.ts'
import { createConsumerTables } from './create-consumer-tables.ts'
import { createContentTables } from './create-content-tables.ts'
import { createFrameSessions } from './create-frame-sessions.ts'
import { createLogInCounts } from './create-log-in-counts.ts'
import { createOperationTables } from './create-operation-tables.ts'
import { createPartnerTables } from './create-partner-tables.ts'
import { createPersonCustomIds } from './create-person-custom-ids.ts'
import { createPersonTables } from './create-person-tables.ts'
import type { DatabaseDialect } from './dialect.ts'
import { dropGuessedNumbers } from './drop-guessed-numbers.ts'
import { widenAuditIdentity } from './widen-audit-identity.ts'

/** Every step from an empty database to the present tables, under names that sort in their order. */
export function migrations(dialect: DatabaseDialect): Record<string, Migration> {
  return {
    '001-organizations-and-persons': { up: db => createPersonTables(db, dialect) },
    '002-log-in': { up: db => createAuthTables(db, dialect) },
    '003-content': { up: db => createContentTables(db, dialect) },
    '004-partner-link': { up: db => createPartnerTables(db, dialect) },
    '006-consumer': { up: db => createConsumerTables(db, dialect) },
    '007-person-keys': { up: db => addPersonKeys(db, dialect) },
    '008-log-in-counts': { up: createLogInCounts },
    '009-operations': { up: db => createOperationTables(db, dialect) },
    '010-frame-sessions': { up: db => createFrameSessions(db, dialect) },
    '011-links': { up: addLinkColumns },
    '012-employee-digests': { up: db => addEmployeeDigests(db, dialect) },
    '013-expiry-indexes': { up: addExpiryIndexes },
    '014-audit-identity': { up: db => widenAuditIdentity(db, dialect) },
    '015-guessed-numbers': { up: dropGuessedNumbers },
    '016-session-links': { up: addSessionLinks },
    '017-partner-organizations': { up: bindPartnerOrganizations },
    '018-person-custom-ids': { up: createPersonCustomIds },
  }
}
