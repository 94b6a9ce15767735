import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { textKey } from './person-keys.ts'

/** The condition that an identifier of a person is this text, by the index of its key. */
export function hasText(column: 'custom_id' | 'ssn', text: string) {
  return (where: ExpressionBuilder<Tables, 'persons'>): ExpressionWrapper<Tables, 'persons', SqlBool> =>
    where.and([where(`${column}_key`, '=', textKey(text)), where(column, '=', text)])
}
