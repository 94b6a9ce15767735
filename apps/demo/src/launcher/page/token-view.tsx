import { Text } from '@mantine/core'
import { Card, CodeText, Copy } from '@service-link/ui'
import type { SignedLaunch } from './launch-state.ts'

const colors = {
  header: 'light-dark(#a3195b, #ff9ec7)',
  claims: 'light-dark(#5b2fb0, #c9b2ff)',
  signature: 'light-dark(#0b5a86, #8fd0f5)',
}

/** The token and its decoded parts, each part in its color. */
export function TokenView({ signed: { token, parts } }: { readonly signed: SignedLaunch }) {
  const [header, claims, signature] = token.split('.')
  return (
    <Card title="Token" side={<Copy text={token} />}>
      <CodeText label="Token" text={token} testId="token">
        <span style={{ color: colors.header }}>{header}</span>.
        <span style={{ color: colors.claims }}>{claims}</span>.
        <span style={{ color: colors.signature }}>{signature}</span>
      </CodeText>
      <Text size="sm" c="dimmed">
        <span style={{ color: colors.header }}>Header</span>,{' '}
        <span style={{ color: colors.claims }}>claims</span> and{' '}
        <span style={{ color: colors.signature }}>signature</span>, {token.length} characters. Each post signs
        anew.
      </Text>
      <CodeText label="Header" color={colors.header} text={JSON.stringify(parts.header, undefined, 2)} />
      <CodeText
        label="Claims of the token"
        color={colors.claims}
        text={JSON.stringify(parts.claims, undefined, 2)}
      />
    </Card>
  )
}
