import {
  Alert,
  Button,
  Center,
  colorsTuple,
  createTheme,
  Loader,
  MantineProvider,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { t } from 'i18next'
import type { ReactNode } from 'react'
import { errorText } from '../texts/texts.ts'

const shades = Array.from({ length: 10 }, (_, shade) => `var(--teal-${shade})`)
const teal = colorsTuple(shades)

const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: 6,
  defaultRadius: 'md',
  fontFamily: 'var(--font)',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

/** Mantine's colours, from the roles in styles.css. */
const colors = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dimmed)',
  '--mantine-color-placeholder': 'var(--text-dimmed)',
  '--mantine-color-anchor': 'var(--text-link)',
  '--mantine-color-error': 'var(--text-danger)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-border': 'var(--border-control)',
  '--mantine-color-gray-6': 'var(--text-dimmed)',
  '--mantine-color-dark-2': 'var(--text-dimmed)',
  '--mantine-color-dark-4': 'var(--border)',
  '--mantine-color-dark-5': 'var(--surface-hover)',
  '--mantine-color-dark-6': 'var(--surface)',
  '--mantine-color-dark-7': 'var(--surface)',
  '--mantine-color-dark-8': 'var(--surface-hover)',
  '--mantine-color-red-light-color': 'var(--text-danger)',
  '--mantine-color-orange-light-color': 'var(--text-warning)',
  '--mantine-color-yellow-light-color': 'var(--text-warning)',
}

/** The theme of every page of the demo; light or dark as the system is. */
export function Look({ children }: { readonly children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={() => ({ variables: {}, light: colors, dark: colors })}
    >
      {children}
    </MantineProvider>
  )
}

export function Mark({ size = 30 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width={32} height={32} rx={9} fill="var(--brand)" />
      <path
        d="M7 17.5h4.2l2.6-7 4.4 12 2.7-7.2h4.1"
        fill="none"
        stroke="white"
        strokeWidth={2.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

/** The page before a session: the mark, a title, and what to do. */
export function LogInFrame({
  title,
  subtitle,
  gap = 'md',
  children,
}: {
  readonly title: string
  readonly subtitle?: string
  readonly gap?: string
  readonly children: ReactNode
}) {
  return (
    <main className="log-in-page">
      <Stack w="100%" maw={440} gap={gap}>
        <Stack align="center" gap={6}>
          <Mark size={46} />
          <Title order={1} ta="center">
            {title}
          </Title>
          {subtitle && (
            <Text c="dimmed" ta="center">
              {subtitle}
            </Text>
          )}
        </Stack>
        {children}
      </Stack>
    </main>
  )
}

/** The page while nobody knows who is signed in: loading, or without the service. */
export function NoSession({
  error,
  onRetry,
}: {
  readonly error: Error | null
  readonly onRetry: () => unknown
}) {
  return (
    <Center component="main" mih="100vh" p="md">
      {error ? (
        <Alert color="red" title={t('app.unreachable')} maw={420}>
          {errorText(error)}{' '}
          <Button mt="md" size="compact-sm" onClick={() => void onRetry()}>
            {t('app.tryAgain')}
          </Button>
        </Alert>
      ) : (
        <Loader aria-label={t('app.loading')} />
      )}
    </Center>
  )
}
