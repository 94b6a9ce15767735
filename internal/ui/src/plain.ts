// Parts without the component library, for pages that must be small.
export { Dialog } from './dialog.tsx'
export { Mark } from './mark.tsx'
