import { WebAppError } from '@service-link/protocol-core'

/**
 * The page went away, or is not there yet: it reloads, has crashed or was restarted. Whether the command had an effect is not
 * known; a page that comes back can be asked again.
 */
export class PageGoneError extends WebAppError {}
