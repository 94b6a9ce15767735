// The component library in the look of this project, for the pages of service and demo. `plain` needs no library.
export { Card, CodeText, Copy, CopyAs, type Copyable, Problem } from './card.tsx'
export { drawPage, Look } from './look.tsx'
