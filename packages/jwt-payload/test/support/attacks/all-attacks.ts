import type { Attack } from './attack.ts'
import { audiences } from './audiences.ts'
import { bombs } from './bombs.ts'
import { confusion } from './confusion.ts'
import { duplicates } from './duplicates.ts'
import { embedded } from './embedded.ts'
import { encodings } from './encodings.ts'
import { extensions } from './extensions.ts'
import { forms } from './forms.ts'
import { kids } from './kids.ts'
import { signatures } from './signatures.ts'
import { times } from './times.ts'
import { unsigned } from './unsigned.ts'

/** Every attack; the receiver must refuse each. */
export const attacks: readonly Attack[] = [
  ...unsigned,
  ...confusion,
  ...embedded,
  ...extensions,
  ...duplicates,
  ...encodings,
  ...bombs,
  ...kids,
  ...audiences,
  ...times,
  ...signatures,
  ...forms,
]
