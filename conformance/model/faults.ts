/** Faults that a test puts into the model: the explorer must find each. */
export const faults = {
  'older-draws': 'the page draws although it was told to stop, or has got a later call',
  'answers-before-drawing': 'the page answers when the service has answered, and draws later',
  'keeps-person': 'the page keeps the person on the screen when its user signs out',
  'next-user': 'the page carries out a call of the user before',
  'believes-answer': 'the wrapper tells success although somebody else has come into focus',
  'keeps-work': 'the wrapper does for the next user what was for the one before',
  'takes-twice': 'a launch that lost its page is carried out again although it was superseded',
  'repeats-behind': 'a launch is carried out again although its page has told of a change of focus',
  'unheard-reports': 'what a page told last is not heard once the page is lost',
  'no-supersede': 'an earlier selection stays in the queue behind a later one',
  'end-gives-way': 'an end gives way to a later selection, which may be refused',
  'forgets-running': 'a request whose page went away is not told',
  'two-locks': 'a second process claims the desktop although another holds it',
  'leaves-early': 'a wrapper that leaves frees the desktop before its window is closed',
} as const

export type Fault = keyof typeof faults
