import { type CompiledQuery, type LogEvent, sql } from 'kysely'
import * as z from 'zod'
import type { Database } from '../../src/server/database/tables.ts'

/** Executed statements, each text once, with the parameters of its last run. */
export class StatementList {
  readonly #statements = new Map<string, CompiledQuery>()
  readonly #words: string[] = []

  readonly keep = ({ query }: LogEvent): void => {
    // A process takes a part of a partner's rate once for many posts.
    if (!query.sql.includes('rate_counts')) this.#words.push(/\w+/.exec(query.sql)?.[0] ?? '')
    if (/^\s*(select|with|insert|update|delete)\b/.test(query.sql)) this.#statements.set(query.sql, query)
  }

  clear(): void {
    this.#words.length = 0
    this.#statements.clear()
  }

  /** The first word of each executed statement, in order. */
  words(): readonly string[] {
    return [...this.#words]
  }

  all(): readonly CompiledQuery[] {
    return [...this.#statements.values()]
  }
}

/** The planner's result for one statement. */
export interface Plan {
  /** Tables that are read completely. */
  readonly scanned: readonly string[]
  /** Most rows of a step, where the database counts them. */
  readonly mostRows: number
}

const nodeSchema = z.object({
  'Node Type': z.string(),
  'Relation Name': z.string().optional(),
  'Actual Rows': z.number().default(0),
  'Actual Loops': z.number().default(0),
  'Rows Removed by Filter': z.number().default(0),
  'Rows Removed by Index Recheck': z.number().default(0),
  get Plans() {
    return z.array(nodeSchema).default([])
  },
})

type PlanNode = z.output<typeof nodeSchema>

const explainedSchema = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: nodeSchema })]) })])

/**
 * Asks PostgreSQL to run and explain a statement, then rolls it back. Inserts are only planned, because the rows exist.
 * Sequential scans are its last resort.
 */
export async function explainOnPostgres(database: Database, statement: CompiledQuery): Promise<Plan> {
  const takenBack = Symbol('taken back')
  let nodes: readonly PlanNode[] = []
  try {
    await database.transaction().execute(async transaction => {
      await sql`set local enable_seqscan = off`.execute(transaction)
      const analyze = /\binsert into\b/.test(statement.sql) ? 'off' : 'on'
      const explain = { ...statement, sql: `explain (analyze ${analyze}, format json) ${statement.sql}` }
      const [row] = explainedSchema.parse((await transaction.executeQuery(explain)).rows)
      nodes = nodesOf(row['QUERY PLAN'][0].Plan)
      throw takenBack
    })
  } catch (error) {
    if (error !== takenBack) throw error
  }
  const rows = nodes.map(
    node =>
      (node['Actual Rows'] + node['Rows Removed by Filter'] + node['Rows Removed by Index Recheck']) *
      node['Actual Loops'],
  )
  return {
    scanned: nodes.flatMap(node => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : [])),
    mostRows: Math.max(...rows),
  }
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...node.Plans.flatMap(nodesOf)]
}

/** Asks SQLite for the plan of a statement, which counts no rows. */
export async function explainOnSqlite(database: Database, statement: CompiledQuery): Promise<Plan> {
  const explain = { ...statement, sql: `explain query plan ${statement.sql}` }
  const { rows } = await database.executeQuery(explain)
  const details = rows.map(row => z.object({ detail: z.string() }).parse(row).detail)
  // A table that the statement itself makes holds what was sent, or rows that are reported on their own.
  const isOwn = (name: string) =>
    new RegExp(`\\b${name} as (materialized )?\\(|\\) as "${name}"`).test(statement.sql)
  const scanned = details.flatMap(detail => scannedBy(detail)).filter(name => !isOwn(name))
  return { scanned, mostRows: 0 }
}

/**
 * SQLite reports a full-text search as a scan of a virtual table. An index by the organization alone reads all of its
 * persons; only the index in list order may stop early.
 */
function scannedBy(detail: string): readonly string[] {
  const [, scanned] = /^SCAN (\w+)\b(?! VIRTUAL TABLE INDEX)/.exec(detail) ?? []
  const [, table, index] = /^SEARCH (\w+) USING INDEX (\w+) \(organization_id=\?\)$/.exec(detail) ?? []
  return [scanned, index === 'persons_by_name' ? undefined : table].filter(name => name !== undefined)
}
