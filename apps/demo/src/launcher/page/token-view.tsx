import { Text } from '@mantine/core'
import { Card, CodeText, Copy } from '@service-link/ui'
import type { SignedLaunch } from './launch-state.ts'
import { t } from './texts.ts'

const colors = {
  header: 'light-dark(#a3195b, #ff9ec7)',
  claims: 'light-dark(#5b2fb0, #c9b2ff)',
  signature: 'light-dark(#0b5a86, #8fd0f5)',
}

/** The token in one line, and on demand with its decoded parts, each part in its color. */
export function TokenView({ signed: { token, parts } }: { readonly signed: SignedLaunch }) {
  const [header, claims, signature] = token.split('.')
  const title = t('token.title', { length: token.length, algorithm: String(parts.header.alg) })
  return (
    <Card title={title} fold="token-card">
      <Text size="sm" c="dimmed">
        {t('token.anew')}
      </Text>
      <div>
        <Copy text={token} />
      </div>
      <CodeText label={t('token.label')} text={token} testId="token">
        <span style={{ color: colors.header }}>{header}</span>.
        <span style={{ color: colors.claims }}>{claims}</span>.
        <span style={{ color: colors.signature }}>{signature}</span>
      </CodeText>
      <CodeText
        label={t('token.header')}
        color={colors.header}
        text={JSON.stringify(parts.header, undefined, 2)}
      />
      <CodeText
        label={t('token.claims')}
        color={colors.claims}
        text={JSON.stringify(parts.claims, undefined, 2)}
      />
    </Card>
  )
}
