import { Code, CopyButton, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import type { TokenParts } from '../launch.ts'

const partNames = ['header', 'claims', 'signature'] as const

/** The token and its decoded parts, each part in its colour. */
export function TokenView({ token, parts }: { readonly token: string; readonly parts: TokenParts }) {
  const pieces = token.split('.')
  return (
    <Stack gap="sm" component="section" className="card launcher-card" aria-labelledby="token-title">
      <Group justify="space-between">
        <Title order={2} id="token-title">
          Token
        </Title>
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <UnstyledButton className="quiet-button" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </UnstyledButton>
          )}
        </CopyButton>
      </Group>
      <Code block className="token" data-testid="token">
        {partNames.map((name, index) => (
          <span key={name}>
            {index > 0 && '.'}
            <span className={`token-${name}`}>{pieces[index]}</span>
          </span>
        ))}
      </Code>
      <Text size="sm" c="dimmed">
        <span className="token-header">Header</span>, <span className="token-claims">claims</span> and{' '}
        <span className="token-signature">signature</span>, {token.length} characters. A post signs anew.
      </Text>
      <Code block className="token-header" tabIndex={0} aria-label="Header">
        {JSON.stringify(parts.header, undefined, 2)}
      </Code>
      <Code block className="token-claims" tabIndex={0} aria-label="Claims" data-testid="decoded-claims">
        {JSON.stringify(parts.claims, undefined, 2)}
      </Code>
    </Stack>
  )
}
