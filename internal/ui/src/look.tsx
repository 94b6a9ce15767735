import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import './look.css'
import { colorsTuple, createTheme, MantineProvider } from '@mantine/core'
import { type ComponentProps, type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { receivePageKey } from './page-key.ts'
import { startTexts } from './page-language.ts'

const shades = Array.from({ length: 10 }, (_, shade) => `var(--teal-${shade})`)
const teal = colorsTuple(shades)

/** A button that keeps the keyboard while it is disabled or its work lasts: a press does nothing then. */
function SteadyButton({ disabled, type = 'button', onClick, ...props }: ComponentProps<'button'>) {
  const ignore: typeof onClick = event => event.preventDefault()
  const whileDisabled = disabled ? { 'aria-disabled': true, onClick: ignore } : { onClick }
  return <button {...props} type={type} {...whileDisabled} />
}

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
  components: {
    Button: {
      defaultProps: { component: SteadyButton },
      // Long words of a language need a second line.
      styles: {
        root: { height: 'auto', minHeight: 'max(24px, var(--button-height))', paddingBlock: 4 },
        inner: { minHeight: 'calc(var(--button-height) - 10px)' },
        label: { overflow: 'visible', whiteSpace: 'normal', overflowWrap: 'anywhere', lineHeight: 1.35 },
      },
    },
    // A target has 24 px.
    SegmentedControl: { styles: { label: { minHeight: 24 } } },
    Switch: { styles: { label: { paddingBlock: 4 } } },
    Paper: { defaultProps: { withBorder: true, radius: 12 } },
  },
})

/** Mantine's colors, from the roles in theme.css. */
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
  '--mantine-color-gray-0': 'var(--surface-hover)',
  '--mantine-color-gray-3': 'var(--border)',
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

/** Draws a page whose server wants its key into its document, in the browser's language. */
export function drawPage(page: ReactNode): void {
  startTexts()
  void receivePageKey()
  const root = document.getElementById('root')
  if (!root) throw new TypeError('The page has no element for the app.')
  createRoot(root).render(
    <StrictMode>
      <Look>{page}</Look>
    </StrictMode>,
  )
}
