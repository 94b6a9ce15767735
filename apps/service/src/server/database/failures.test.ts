import { expect, test } from 'vitest'
import { classifyFailure, type FailureKind, isRetryable } from './failures.ts'

const failure = (fields: object, message = 'message') => Object.assign(new Error(message), fields)

const cases: readonly (readonly [string, unknown, FailureKind])[] = [
  ['a broken connection (08006)', failure({ code: '08006' }), 'lost'],
  ['an unknown outcome (08007)', failure({ code: '08007' }), 'lost'],
  ['a server that is shut down (57P01)', failure({ code: '57P01' }), 'lost'],
  ['a server that crashed (57P02)', failure({ code: '57P02' }), 'lost'],
  ['a server that starts (57P03)', failure({ code: '57P03' }), 'lost'],
  ['a standby (25006)', failure({ code: '25006' }), 'lost'],
  ['nobody at the port', failure({ code: 'ECONNREFUSED', syscall: 'connect' }), 'lost'],
  ['a reset', failure({ code: 'ECONNRESET' }), 'lost'],
  ['a socket file that is missing', failure({ code: 'ENOENT', syscall: 'connect' }), 'lost'],
  ['a file that is missing', failure({ code: 'ENOENT', syscall: 'open' }), 'other'],
  ['a host whose name is not found now', failure({ code: 'EAI_AGAIN' }), 'lost'],
  [
    'nobody at either address of a name',
    new AggregateError([failure({ code: 'ECONNREFUSED' }), failure({ code: 'ECONNREFUSED' })]),
    'lost',
  ],
  ['an aggregate of something else', new AggregateError([failure({ code: '42601' })]), 'other'],
  ['a connection that ended', failure({}, 'Connection terminated unexpectedly'), 'lost'],
  ['a connection that came too late', failure({}, 'timeout exceeded when trying to connect'), 'lost'],
  [
    'a connection that is spent',
    failure({}, 'Client has encountered a connection error and is not queryable'),
    'lost',
  ],
  ['a silent server', failure({}, 'Query read timeout'), 'lost'],
  ['a serialization failure', failure({ code: '40001' }), 'conflict'],
  ['a deadlock', failure({ code: '40P01' }), 'conflict'],
  ['SQLite being busy', failure({ code: 'ERR_SQLITE_ERROR', errcode: 5 }), 'conflict'],
  ['SQLite being busy with a snapshot', failure({ code: 'ERR_SQLITE_ERROR', errcode: 517 }), 'conflict'],
  ['SQLite’s constraint', failure({ code: 'ERR_SQLITE_ERROR', errcode: 19 }), 'other'],
  ['SQLite’s full disk', failure({ code: 'ERR_SQLITE_ERROR', errcode: 13 }), 'busy'],
  ['SQLite’s failing disk', failure({ code: 'ERR_SQLITE_ERROR', errcode: 778 }), 'busy'],
  ['SQLite’s damaged file', failure({ code: 'ERR_SQLITE_ERROR', errcode: 11 }), 'busy'],
  ['SQLite’s wrong statement', failure({ code: 'ERR_SQLITE_ERROR', errcode: 1 }), 'other'],
  ['a disk that cannot be read', failure({ code: '58030' }), 'busy'],
  ['damaged data', failure({ code: 'XX001' }), 'busy'],
  ['a lock that did not come free', failure({ code: '55P03' }), 'conflict'],
  ['a statement that took too long', failure({ code: '57014' }), 'busy'],
  ['too many connections', failure({ code: '53300' }), 'busy'],
  ['a full disk', failure({ code: '53100' }), 'busy'],
  ['a constraint', failure({ code: '23505' }), 'other'],
  ['a wrong password', failure({ code: '28P01' }), 'busy'],
  ['a database that is missing', failure({ code: '3D000' }), 'busy'],
  [
    'a constraint whose message begins like a loss',
    failure({ code: '23505' }, 'Connection terminated'),
    'other',
  ],
  ['an error of the program', new TypeError('not a function'), 'other'],
  ['what is no error', 'ECONNREFUSED', 'other'],
  ['nothing', undefined, 'other'],
]

test.each(cases)('%s', (_name, error, kind) => {
  expect(classifyFailure(error)).toBe(kind)
  expect(isRetryable(error)).toBe(kind === 'lost' || kind === 'conflict')
})
