import { ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * What keeps this process from the user's wrapper: `elevated-wrapper`, it runs with administrator rights and takes nothing of
 * processes without them; `elevated-process`, this process has them, and the folders are another user's; `foreign-folder`, the
 * per-user folder belongs to another user.
 */
export type InstanceAccessFault = 'elevated-wrapper' | 'elevated-process' | 'foreign-folder'

const sentences: Readonly<Record<InstanceAccessFault, string>> = {
  'elevated-wrapper':
    'A wrapper of this user runs with administrator rights, and takes no launch of a process without them. Close it and start it again without.',
  'elevated-process':
    'This process has administrator rights, but the folders are another user’s: what it made there would keep that user’s own wrapper from starting. Start it as that user.',
  'foreign-folder':
    'The per-user folder belongs to another user, perhaps because the wrapper was once started as the administrator. Give it to this user, or remove it.',
}

/** The wrapper of this user, or its folders, are out of this process's reach. Nothing was made. */
export class InstanceAccessError extends ServiceLinkError<'ERR_INSTANCE_ACCESS'> {
  readonly code = 'ERR_INSTANCE_ACCESS'
  readonly fault: InstanceAccessFault

  constructor(fault: InstanceAccessFault) {
    super(sentences[fault])
    this.fault = fault
  }
}
