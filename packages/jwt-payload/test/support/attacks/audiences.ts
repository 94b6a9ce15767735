import { url } from '@service-link/test-kit/payload-vectors'
import { type Attack, es, group } from './attack.ts'
import { goodClaims } from './forge.ts'

/** Addresses that resemble the receiver's. */
export const audiences: readonly Attack[] = group('an audience that is not ours, signed by the partner', [
  ...[
    `${url}/`,
    `${url}x`,
    `x${url}`,
    url.slice(0, -1),
    url.toUpperCase(),
    url.replace('sso.example', 'SSO.example'),
    url.replace('https', 'http'),
    url.replace('sso.example', 'sso.example:443'),
    url.replace('sso.example', 'user@sso.example'),
    url.replace('sso.example', 'sso.example.attacker.example'),
    url.replace('sso.example', 'sso.example.'),
    url.replace('/partner', '//partner'),
    url.replace('/partner', '/./partner'),
    url.replace('partner', '%70artner'),
    `${url}?`,
    `${url}#`,
    ` ${url}`,
    `${url}\0`,
    `${url},https://other.example`,
    'https://sso.example',
    '*',
    '',
    null,
    true,
    0,
    [],
    [[url]],
    ['https://other.example'],
    [{ 0: url }],
    { 0: url, length: 1 },
    { toString: url },
  ].map(aud => [JSON.stringify(aud).slice(0, 80), () => es.token({ ...goodClaims(), aud })] as const),
])
