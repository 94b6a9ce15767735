import { onPostgres, recordedProject } from '@service-link/service/test-projects'
// @boundaries-ignore: a file of the repository
import { deepTests, moreTests, soakTests } from '../../vitest.project.ts'

const folder = import.meta.dirname
const isDeep = moreTests === 'deep'

export default [
  recordedProject('demo', folder, { exclude: [deepTests, soakTests] }),
  ...(isDeep ? [recordedProject('demo-deep', folder, { include: [deepTests], exclude: [] })] : []),
  ...(isDeep ? onPostgres('demo-postgres-deep', folder, ['test/my/{my-workouts,record-ids}.test.ts']) : []),
]
