import { Text } from '@mantine/core'
import { Card, CodeText, Copy } from '@service-link/ui'
import type { SignedLaunch } from './launch-state.ts'

/** The token and its decoded parts, each part in its color. */
export function TokenView({ signed: { token, parts } }: { readonly signed: SignedLaunch }) {
  const [header, claims, signature] = token.split('.')
  return (
    <Card title="Token" side={<Copy text={token} />}>
      <CodeText label="Token" text={token} testId="token">
        <span className="token-header">{header}</span>.<span className="token-claims">{claims}</span>.
        <span className="token-signature">{signature}</span>
      </CodeText>
      <Text size="sm" c="dimmed">
        <span className="token-header">Header</span>, <span className="token-claims">claims</span> and{' '}
        <span className="token-signature">signature</span>, {token.length} characters. Each post signs anew.
      </Text>
      <CodeText label="Header" className="token-header" text={JSON.stringify(parts.header, undefined, 2)} />
      <CodeText
        label="Claims of the token"
        className="token-claims"
        text={JSON.stringify(parts.claims, undefined, 2)}
      />
    </Card>
  )
}
