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

/** Who has been in focus since when. */
function InFocus({ name, at, children }: { name: ReactNode; at: string; children?: ReactNode }) {
  return (
    <>
      <Name>{name}</Name> has been in focus since <At time={at} />
      {children}.
    </>
  )
}

function refused(what: string, { code, at }: { readonly code: string; readonly at: string }): Story {
  const text = (
    <>
      {what} at <At time={at} />: <code>{code}</code>
    </>
  )
  return { tone: 'refused', text }
}

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
      return { tone: 'done', text: <InFocus name={link.name} at={link.at} /> }
    case 'refused':
      return refused('The service refused the last link', link)
  }
}

const pages = { window: 'in its window', headless: 'without a window', memory: 'with a page in memory' }

export function wrapperStory({ kind, window, name, at = '', outcome }: DemoState['wrapper']): Story {
  const more = outcome && (
    <>
      <At time={outcome.at} /> {outcome.text}
    </>
  )
  const inFocus = () => (
    <InFocus name={name} at={at}>
      , {pages[window]}
    </InFocus>
  )
  const text = {
    off: () => 'The demo was started without the wrapper.',
    starting: () => 'The wrapper is starting …',
    ended: () => 'The wrapper has ended.',
    'signed-out': () => `The wrapper runs ${pages[window]}. Nobody is signed in.`,
    'signed-in': () => `The wrapper runs ${pages[window]}, and somebody is signed in.`,
    'in-focus': inFocus,
  }[kind]()
  return { tone: kind === 'off' ? 'ready' : kind === 'in-focus' ? 'done' : 'waits', text, more }
}

export function logInStory(my: DemoState['my']): Story {
  switch (my.kind) {
    case 'ready':
      return { tone: 'ready', text: 'No patient has logged in yet.' }
    case 'logged-in': {
      const text = (
        <>
          <Name>{my.name}</Name> logged in at <At time={my.at} />.
        </>
      )
      return { tone: 'done', text }
    }
    case 'refused':
      return refused('The last log-in failed', my)
  }
}
