import type { ReactNode } from 'react'
import type { DemoState } from '../demo-state.ts'

/** What a step shows of the present state. */
export interface Story {
  readonly tone: 'ready' | 'waits' | 'done' | 'refused'
  readonly text: ReactNode
  readonly more?: ReactNode
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

function At({ time }: { readonly time: string }) {
  return <time dateTime={time}>{clock.format(new Date(time))}</time>
}

const Name = ({ children }: { readonly children: ReactNode }) => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
)

export function linkStory(link: DemoState['link']): Story {
  switch (link.kind) {
    case 'ready':
      return { tone: 'ready', text: 'Nobody has been opened yet.' }
    case 'log-in':
      return {
        tone: 'waits',
        text: (
          <>
            <Name>{link.name}</Name> has waited since <At time={link.at} /> for the first log-in, in the new
            tab.
          </>
        ),
        more: 'Log in there as Ingrid Solberg, and confirm the link. Later visits ask for nothing.',
      }
    case 'in-focus':
      return {
        tone: 'done',
        text: (
          <>
            <Name>{link.name}</Name> has been in focus since <At time={link.at} />.
          </>
        ),
      }
    case 'refused':
      return {
        tone: 'refused',
        text: (
          <>
            The service refused the last link at <At time={link.at} />: <code>{link.code}</code>
          </>
        ),
      }
  }
}

const pages = { window: 'in its window', headless: 'without a window', memory: 'with a page in memory' }

export function wrapperStory({ kind, window, name, at, outcome }: DemoState['wrapper']): Story {
  const more = outcome && (
    <>
      <At time={outcome.at} /> {outcome.text}
    </>
  )
  const runs = `The wrapper runs ${pages[window]}`
  switch (kind) {
    case 'off':
      return { tone: 'ready', text: 'The demo was started without the wrapper.' }
    case 'starting':
      return { tone: 'waits', text: 'The wrapper is starting …' }
    case 'ended':
      return { tone: 'waits', text: 'The wrapper has ended.', more }
    case 'signed-out':
      return { tone: 'waits', text: `${runs}. Nobody is signed in.`, more }
    case 'signed-in':
      return { tone: 'waits', text: `${runs}, and somebody is signed in.`, more }
    case 'in-focus':
      return {
        tone: 'done',
        text: (
          <>
            <Name>{name}</Name> has been in focus since {at && <At time={at} />}, {pages[window]}.
          </>
        ),
        more,
      }
  }
}

export function logInStory(my: DemoState['my']): Story {
  switch (my.kind) {
    case 'ready':
      return { tone: 'ready', text: 'No patient has logged in yet.' }
    case 'logged-in':
      return {
        tone: 'done',
        text: (
          <>
            <Name>{my.name}</Name> logged in at <At time={my.at} />.
          </>
        ),
      }
    case 'refused':
      return {
        tone: 'refused',
        text: (
          <>
            The last log-in failed at <At time={my.at} />: <code>{my.code}</code>
          </>
        ),
      }
  }
}
