import {
  Alert,
  Button,
  Center,
  createTheme,
  Group,
  Loader,
  type MantineColorsTuple,
  Modal,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import type { ReactNode } from 'react'

/** Green-blue. White text on the sixth shade has a contrast above 4.5. */
const teal: MantineColorsTuple = [
  '#effaf8',
  '#d9f1ed',
  '#b3e2db',
  '#86cfc6',
  '#54b5aa',
  '#2c978c',
  '#0f766e',
  '#0c625c',
  '#0b4f4a',
  '#093f3c',
]

export const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: 6,
  defaultRadius: 'md',
  fontFamily:
    'Inter, "Segoe UI Variable Text", "Segoe UI", system-ui, -apple-system, "Helvetica Neue", "Noto Sans", sans-serif',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.2rem' }, h3: { fontSize: '1rem' } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
})

function Icon({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      width={20}
      height={20}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {children}
    </svg>
  )
}

export const PersonsIcon = () => (
  <Icon>
    <circle cx={9} cy={8} r={3.4} />
    <path d="M2.8 19.5c.6-3.4 3-5.4 6.2-5.4s5.6 2 6.2 5.4" />
    <path d="M15.5 5.2a3.2 3.2 0 0 1 0 6M17.6 14.6c2 .7 3.3 2.4 3.6 4.9" />
  </Icon>
)

export const ExercisesIcon = () => (
  <Icon>
    <path d="M6.5 7.5v9M17.5 7.5v9M3.5 10v4M20.5 10v4M6.5 12h11" />
  </Icon>
)

export const WorkoutsIcon = () => (
  <Icon>
    <rect x={5} y={4.5} width={14} height={16} rx={2.5} />
    <path d="M9 3.5h6v3H9zM8.8 11h6.4M8.8 15.2h4" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx={10.5} cy={10.5} r={6} />
    <path d="m15.2 15.2 5 5" />
  </Icon>
)

export const SignOutIcon = () => (
  <Icon>
    <path d="M14 4.5H7a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2h7M10.5 12H20M16.8 8.6 20.2 12l-3.4 3.4" />
  </Icon>
)

export function Mark({ size = 30 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width={32} height={32} rx={9} fill="#0f766e" />
      <path
        d="M7 17.5h4.2l2.6-7 4.4 12 2.7-7.2h4.1"
        fill="none"
        stroke="#fff"
        strokeWidth={2.6}
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}

export const LinkIcon = () => (
  <Icon>
    <path d="M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1.2 1.2" />
    <path d="M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1.2-1.2" />
  </Icon>
)

interface DialogProps {
  readonly isOpen: boolean
  readonly title: string
  /** Label of the close button for screen readers. Default `Close`. */
  readonly closeLabel?: string
  readonly testId: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog over the page. Its title is no `<header>`, which screen readers would take for a second banner. */
export function Dialog({ isOpen, title, closeLabel = 'Close', testId, onClose, children }: DialogProps) {
  return (
    <Modal.Root opened={isOpen} onClose={onClose} centered>
      <Modal.Overlay />
      <Modal.Content data-testid={testId}>
        <Modal.Body>
          <Group justify="space-between" wrap="nowrap" mb="md">
            <Modal.Title>{title}</Modal.Title>
            <Modal.CloseButton aria-label={closeLabel} />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
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
          <Title order={1}>{title}</Title>
          {subtitle && (
            <Text c="#4b5b5a" ta="center">
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
        <Alert color="red" title="The service cannot be reached" maw={420}>
          {error.message}{' '}
          <Button mt="md" size="compact-sm" onClick={() => void onRetry()}>
            Try again
          </Button>
        </Alert>
      ) : (
        <Loader aria-label="Loading" />
      )}
    </Center>
  )
}
