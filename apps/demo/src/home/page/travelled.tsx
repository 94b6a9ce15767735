import { Box, SimpleGrid, Text, Title } from '@mantine/core'
import type { PatientField, Travelled } from '../demo-state.ts'
import { t, valueText } from './texts.ts'

interface TravelledViewProps {
  readonly step: 'link' | 'wrapper' | 'my'
  readonly travelled: Travelled | undefined
}

/** What a step sent beside what the service reads from it. One member has one number and one color on both sides. */
export function TravelledView({ step, travelled }: TravelledViewProps) {
  const fields = Array.from(new Set(travelled?.patient.map(({ field }) => field)))
  const markOf = (field: PatientField | undefined) => field && fields.indexOf(field) + 1
  const colorOf = (field: PatientField | undefined) => (field ? { '--field': `${markOf(field)}` } : {})
  return (
    // Open from its first content on, until the user folds it.
    <details className="travelled" open={travelled !== undefined} data-testid={`travelled-${step}`}>
      <summary>{t('travelled.title')}</summary>
      {travelled ? (
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs" style={{ alignItems: 'start' }}>
          <section>
            <Title order={3}>{t(`travelled.${step}`)}</Title>
            <ol className="plain-list sent" lang="en">
              {travelled.sent.map(({ text, field }, line) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines stay in their order
                <Box component="li" key={line} __vars={colorOf(field)}>
                  <span className="mark">{field !== travelled.sent[line - 1]?.field && markOf(field)}</span>
                  <code>{text}</code>
                </Box>
              ))}
            </ol>
          </section>
          <section>
            <Title order={3}>{t('travelled.patient')}</Title>
            <dl>
              {travelled.patient.map(({ field, value }) => (
                <Box key={field + value} __vars={colorOf(field)}>
                  <dt>
                    <span className="mark">{markOf(field)}</span>
                    {t(`fields.${field}`)}
                  </dt>
                  <dd>
                    <bdi>{breakable(valueText(field, value))}</bdi>
                  </dd>
                </Box>
              ))}
            </dl>
          </section>
        </SimpleGrid>
      ) : (
        <Text size="sm" c="dimmed">
          {t('travelled.nothing')}
        </Text>
      )}
    </details>
  )
}

/** An e-mail address may break before its `@`. */
function breakable(text: string) {
  const [name, ...host] = text.split(/(?=@)/)
  return (
    <>
      {name}
      <wbr />
      {host}
    </>
  )
}
