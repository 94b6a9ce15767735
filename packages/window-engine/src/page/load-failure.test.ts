import { expect, test } from 'vitest'
import { describeLoadFailure } from './load-failure.ts'

test.each([
  ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate is not trusted'],
  ['ERR_CERT_DATE_INVALID', 'has expired'],
  ['ERR_CERT_COMMON_NAME_INVALID', 'for another name'],
  ['ERR_CERT_WEAK_KEY', 'certificate is not accepted'],
  ['ERR_NAME_NOT_RESOLVED', 'name is not known'],
  ['DNS_PROBE_FINISHED_NXDOMAIN', 'name is not known'],
  ['DNS_PROBE_FINISHED_NO_INTERNET', 'no network'],
  ['ERR_CONNECTION_REFUSED', 'Nothing listens'],
  ['ERR_CONNECTION_TIMED_OUT', 'not answer in time'],
  ['ERR_CONNECTION_RESET', 'broke off'],
  ['ERR_PROXY_CONNECTION_FAILED', 'proxy of this machine cannot be reached'],
  ['ERR_TUNNEL_CONNECTION_FAILED', 'proxy of this machine refuses'],
  ['HTTP ERROR 407', 'proxy of this machine refuses'],
  ['ERR_BLOCKED_BY_ADMINISTRATOR', 'policy of the browser blocks'],
  ['ERR_NEW', 'cannot be reached'],
])('%s is named, with the code: %s', (code, words) => {
  const sentence = describeLoadFailure(code)
  expect(sentence).toContain(words)
  expect(sentence.endsWith(`(${code.replace('net::', '')}).`)).toBe(true)
})

test.each(['', 'undefined', 'ERR_X https://app.example/?token=secret'])(
  '%j is no code: it is not repeated',
  code => {
    expect(describeLoadFailure(code)).toBe('The address cannot be reached.')
  },
)
