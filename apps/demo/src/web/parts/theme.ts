import { createTheme, type MantineColorsTuple } from '@mantine/core'

/** Calm green-blue; the sixth shade carries white text with a contrast above 4.5. */
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

/** How the web app looks. */
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
