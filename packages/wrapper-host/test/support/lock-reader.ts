// A process that looks whether the lock of its argument is held, again and again, until it is ended.
import { isLockHeld } from '../../src/files/instance-lock.ts'

const [file = ''] = process.argv.slice(2)
isLockHeld(file)
process.stdout.write('reads\n')
for (;;) isLockHeld(file)
