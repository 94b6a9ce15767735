// Checks the lock of its argument again and again until it is killed.
import { isLockHeld } from '../../src/start/instance-lock.ts'

const [file = ''] = process.argv.slice(2)
isLockHeld(file)
process.stdout.write('reads\n')
for (;;) isLockHeld(file)
