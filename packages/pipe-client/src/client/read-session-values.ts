import type { PersonInFocus, SessionEvent, SessionStatus } from '@service-link/protocol-core'
import type { FocusedPerson, WrapperEvent, WrapperStatus } from './wrapper-client.ts'

/** Turns what `status` answers into what this package tells. */
export function readStatus({ loaded, signedin, person }: SessionStatus): WrapperStatus {
  return { isLoaded: loaded, isSignedIn: signedin, ...(person ? { person: readPerson(person) } : {}) }
}

/** Turns an event as it travels into what this package tells. */
export function readEvent(event: SessionEvent): WrapperEvent {
  switch (event.event) {
    case 'personselected':
      return { type: 'personselected', person: readPerson(event.data) }
    case 'workoutopened':
      return { type: 'workoutopened', id: event.data.id }
    default:
      return { type: event.event }
  }
}

function readPerson({ userid, customid, firstname, lastname }: PersonInFocus): FocusedPerson {
  return {
    ...(typeof userid === 'number' ? { userId: userid } : {}),
    ...(typeof customid === 'string' ? { customId: customid } : {}),
    ...(typeof firstname === 'string' ? { firstname } : {}),
    ...(typeof lastname === 'string' ? { lastname } : {}),
  }
}
