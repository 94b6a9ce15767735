import { answeredInTheEnd, type Invariant } from './invariants.ts'

interface SeededFault {
  readonly sentence: string
  /** Invariant that it breaks. */
  readonly breaks: Invariant
}

/** Faults that a test puts into the model: the explorer must find each. */
export const faults = {
  'older-draws': {
    sentence: 'the page draws although it was told to stop, or has got a later call',
    breaks: 'an older selection never replaces a newer one',
  },
  'answers-before-drawing': {
    sentence: 'the page answers when the service has answered, and draws later',
    breaks: 'a person told as shown is shown until something else is accepted or chosen',
  },
  'keeps-person': {
    sentence: 'the page keeps the person on the screen when its user signs out',
    breaks: 'nobody is shown, or kept to be shown, when nobody is signed in',
  },
  'next-user': {
    sentence: 'the page carries out a call of the user before',
    breaks: 'nobody is shown to another user than the one of the click',
  },
  'believes-answer': {
    sentence: 'the wrapper tells success although somebody else has come into focus',
    breaks: 'success is told only for the person whom the page has told of',
  },
  'keeps-work': {
    sentence: 'the wrapper does for the next user what was for the one before',
    breaks: 'nothing accepted is lost without its caller being told',
  },
  'takes-twice': {
    sentence: 'a launch that lost its page is carried out again although it was superseded',
    breaks: 'what has given way is not begun again',
  },
  'repeats-behind': {
    sentence: 'a launch is carried out again although its page has told of a change of focus',
    breaks: 'what has given way is not begun again',
  },
  'unheard-reports': {
    sentence: 'what a page told last is not heard once the page is lost',
    breaks: 'what has given way is not begun again',
  },
  'no-supersede': {
    sentence: 'an earlier selection stays in the queue behind a later one',
    breaks: 'what has given way is not begun again',
  },
  'end-gives-way': {
    sentence: 'an end gives way to a later selection, which may be refused',
    breaks: 'who is to leave has left once no end is at work',
  },
  'forgets-running': {
    sentence: 'a request whose page went away is not told',
    breaks: 'nothing accepted is lost without its caller being told',
  },
  'tells-twice': {
    sentence: 'a late answer is told to a caller who was told already',
    breaks: 'every request is answered once',
  },
  'keeps-turn': {
    sentence: 'the late answer to a request that gave way does not free its turn',
    breaks: answeredInTheEnd,
  },
  'two-locks': {
    sentence: 'a second process claims the desktop although another holds it',
    breaks: 'one wrapper serves a desktop',
  },
  'leaves-early': {
    sentence: 'a wrapper that leaves frees the desktop before its window is closed',
    breaks: 'one wrapper serves a desktop',
  },
} as const satisfies Readonly<Record<string, SeededFault>>

export type Fault = keyof typeof faults
