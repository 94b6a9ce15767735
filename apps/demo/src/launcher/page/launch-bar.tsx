import { Button, Flex, Group, Select, Text, TextInput } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { type RefusalCode, refusalStatus } from '@service-link/jwt-payload'
import { useEffect } from 'react'
import type { LaunchForm } from './fields.tsx'
import { t } from './texts.ts'
import type { Outcome } from './use-sending.ts'

interface LaunchBarProps {
  readonly form: LaunchForm
  readonly addressProblem: string | undefined
  readonly onPreset: (code: string | null) => void
  /** What the checks say. */
  readonly expected: Outcome
  /** What the service has said. */
  readonly answered: Outcome
  /** What the button does. */
  readonly way: 'post' | 'call'
  readonly isBusy: boolean
  readonly onPost: () => void
}

/** Address, preset, verdict and *Post*, always in view. A part that has the keyboard is never below it. */
export function LaunchBar({
  form,
  addressProblem,
  onPreset,
  expected,
  answered,
  way,
  isBusy,
  onPost,
}: LaunchBarProps) {
  const { ref, height } = useElementSize()
  useEffect(() => {
    document.documentElement.style.scrollPaddingTop = `${height + 32}px`
  }, [height])
  return (
    <Flex ref={ref} component="section" className="launch-bar" aria-label={t('bar.label')}>
      <TextInput
        size="xs"
        flex="2 1 220px"
        label={t('bar.address')}
        labelProps={small}
        title="{sso_url}/partner/payload"
        {...form.getInputProps('address')}
        id="address"
        error={addressProblem}
      />
      <Select
        size="xs"
        flex="1 1 140px"
        label={t('bar.preset')}
        labelProps={small}
        placeholder={t('bar.rightLaunch')}
        clearable
        searchable
        selectFirstOptionOnChange
        data={Object.keys(refusalStatus).map(value => ({
          value,
          label: `${t(`presets.${value as RefusalCode}`)} · ${value}`,
        }))}
        value={form.values.preset || null}
        onChange={onPreset}
        data-testid="preset"
      />
      <Button size="xs" onClick={onPost} loading={isBusy} data-testid="post">
        {t(`bar.${way}`)}
      </Button>
      <div className="launch-verdict">
        <Verdict name={t('bar.checks')} outcome={expected} place="checks" testId="expected" />
        <Verdict name={t('bar.service')} outcome={answered} place="answers" testId="answered" />
      </div>
    </Flex>
  )
}

/** A small window has no room for labels. */
const small = { className: 'launch-label' }

interface VerdictProps {
  readonly name: string
  readonly outcome: Outcome
  /** The element that says more. */
  readonly place: string
  readonly testId: string
}

/** A few words, which lead to the whole. */
function Verdict({ name, outcome: { isGood, text }, place, testId }: VerdictProps) {
  return (
    <Group gap={6} wrap="nowrap" miw={0}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Button
        size="compact-xs"
        variant={isGood === undefined ? 'default' : 'light'}
        color={isGood === false ? 'red' : 'teal'}
        onClick={() => document.getElementById(place)?.focus()}
        data-testid={testId}
      >
        {text}
      </Button>
    </Group>
  )
}
