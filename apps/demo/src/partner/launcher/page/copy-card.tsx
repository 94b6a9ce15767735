import { Tabs, Text } from '@mantine/core'
import { Card, CodeText, Copy } from './card.tsx'
import { type CopyFacts, copies } from './copies.ts'

/** Programs that make the post of a launch. */
export function CopyCard(facts: CopyFacts) {
  return (
    <Card title="Copy as code" fold="copy-as">
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List>
          {Object.keys(copies).map(name => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {Object.entries(copies).map(([name, write]) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Text size="sm" mb={6}>
              {name === 'curl'
                ? 'Posts this very token, within the minute that it lives.'
                : 'Signs these claims with your key, in private.pem or secret.txt, at the right time, and posts.'}
            </Text>
            <Copy text={write(facts)} />
            <CodeText label={name} text={write(facts)} testId={`copy-${name}`} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}
